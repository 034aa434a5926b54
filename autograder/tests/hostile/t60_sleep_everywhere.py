# threat 60: sleeps in every operation
# expects: fails all
# says: No answer in time
import time

Value.__init__ = lambda self, *_: time.sleep(999)
