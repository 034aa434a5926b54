# threat 22: brings settings that collect nothing and run something
# engine: wrong
# file: pytest.ini
[pytest]
python_files = nothing_*.py
addopts = -p no:python --collect-only
# file: pyproject.toml
[tool.pytest.ini_options]
addopts = "--co"
[tool.autograder]
name = "mine"
# file: tox.ini
[pytest]
testpaths = nowhere
# file: setup.cfg
[tool:pytest]
python_functions = none
