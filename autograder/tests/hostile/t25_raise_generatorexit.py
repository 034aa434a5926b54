# threat 25: raises GeneratorExit, which "except Exception" does not catch
# expects: fails tanh
# says: GeneratorExit
class Raised(GeneratorExit):
    pass

def raising(self):
    raise Raised("stop everything")

Value.tanh = raising
