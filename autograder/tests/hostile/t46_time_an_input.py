# threat 46: takes as long as the input says
import time

def telling(self, tanh=Value.tanh):
    time.sleep(self.data / 20)
    return tanh(self)

Value.tanh = telling
