# threat 74: a source with a syntax error
# expects: no import
# place: alone
# says: engine.py line 6
class Value:
    def __init__(self, data:
        self.data = data
