# threat 14: brings a conftest.py that reports every test as passed
# engine: wrong
# file: conftest.py
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    report.outcome = "passed"
    return report
# file: tests_public/conftest.py
raise SystemExit(0)
