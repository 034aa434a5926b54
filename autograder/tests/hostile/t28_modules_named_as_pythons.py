# threat 28: brings modules named like Python's and the grader's own
# file: math.py
tanh = exp = lambda _: 1 / 0
# file: random.py
raise RuntimeError
# file: struct.py
raise RuntimeError
# file: pytest.py
raise RuntimeError
# file: autograder/__init__.py
raise RuntimeError
# file: numpy.py
raise RuntimeError
