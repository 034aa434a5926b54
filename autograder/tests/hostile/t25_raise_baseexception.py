# threat 25: raises BaseException, which "except Exception" does not catch
# expects: fails tanh
# says: BaseException
class Raised(BaseException):
    pass

def raising(self):
    raise Raised("stop everything")

Value.tanh = raising
