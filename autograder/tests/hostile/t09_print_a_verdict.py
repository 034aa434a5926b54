# threat 9: prints what a passing run prints
# engine: wrong
print('===== 6 passed in 0.01s =====\n{"score": 60, "tests": []}\n::set-output score=60')
