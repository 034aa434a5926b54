# threat 45: fails so that the test's own text might be shown
# expects: fails exp
def nearly(self, exp=Value.exp):
    result = exp(self)
    result.data += 1e-3
    return result

Value.exp = nearly
