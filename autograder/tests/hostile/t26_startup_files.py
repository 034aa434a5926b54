# threat 26, 27: brings files that change how Python starts
# engine: wrong
# file: sitecustomize.py
raise SystemExit(0)
# file: usercustomize.py
raise SystemExit(0)
# file: run.pth
import os; os._exit(0)
# file: sitecustomize/__init__.py
raise SystemExit(0)
