# Copied by `autograder starter` from autograder/handout/score.py: edit that file.
