# threat 46: raises in a function and on a line that are named after the input
# expects: fails tanh exp
def telling(self):
    digits = repr(self.data).replace(".", "")
    file = Value.__init__.__code__.co_filename
    for line in (int(digits[:6]), int(digits[:9])):
        source = "\n" * 0 + f"def v{digits}():\n    raise ValueError"
        code = compile(source, file, "exec")
        names = {}
        exec(code, names)
        made = names[f"v{digits}"]
        made.__code__ = made.__code__.replace(co_firstlineno=line, co_name=f"v{digits}")
        made()

Value.tanh = Value.exp = telling
