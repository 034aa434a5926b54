# threat 61: matches a regular expression that backtracks without end
# expects: fails tanh
# says: No answer in time
import re

Value.tanh = lambda self: re.match(r"(a+)+$", "a" * 60 + "b")
