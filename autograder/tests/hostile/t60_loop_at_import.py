# threat 60: loops at import
# expects: no import
# says: No answer in time
while True:
    pass
