# threat 60: loops in one operation
# expects: fails tanh
# says: No answer in time
def looping(self):
    while True:
        pass

Value.tanh = looping
