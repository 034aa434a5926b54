# threat 25: raises KeyboardInterrupt, which "except Exception" does not catch
# expects: fails tanh
# says: KeyboardInterrupt
class Raised(KeyboardInterrupt):
    pass

def raising(self):
    raise Raised("stop everything")

Value.tanh = raising
