# threat 81: imports a library that does the homework
# expects: no import
# place: before
# says: engine.py line 6 imports torch; this homework allows only

import torch
