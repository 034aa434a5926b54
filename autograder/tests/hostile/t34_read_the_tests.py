# threat 34, 41, 42, 50: looks for the hidden tests, the metadata and the sources in every place it can, and prints them
# needs: standard
import os
import sys

found = []
for folder in ("/autograder/source", "/autograder", "/root", "/home", "/tmp", "..", "../..", sys.prefix, "/etc", "/usr"):
    try:
        found += [folder, *os.listdir(folder)]
    except OSError:
        pass
found = [name for name in found if name not in ("..", "../..", "engine.py", "__pycache__")]  # at the root, the parent is the root
print(found)
assert not found, found
