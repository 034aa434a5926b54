# threat 87: computes when it is read, and answers differently each time
# expects: fails all
class Reading:
    def __init__(self):
        self.reads = 0
    def __get__(self, item, owner=None):
        self.reads += 1
        return 0.5 + self.reads
    def __set__(self, item, value):
        pass

Value.data, Value.grad = Reading(), Reading()
