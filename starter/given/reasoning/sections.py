# Copied by `autograder starter` from autograder/diagnosis/reasoning/sections.py: edit that file.
"""Where in the handout to read on: the sections on pitfalls, and the tasks of the operators."""

from __future__ import annotations

SECTIONS = {  # anchors of the handout's sections on pitfalls
    "importing": "pitfall-importing-your-file",
    "numbers": "pitfall-plain-numbers-on-either-side",
    "precision": "pitfall-a-wider-tolerance",
    "forward": "pitfall-the-value-comes-first",
    "return": "pitfall-return-the-result",
    "graph": "pitfall-a-result-remembers-its-operands",
    "seed": "pitfall-the-output-starts-with-one",
    "local": "pitfall-local-derivative-times-what-arrives",
    "kink": "pitfall-the-kink-of-relu",
    "reuse": "pitfall-gradients-add-up",
    "order": "pitfall-the-order-of-the-backward-pass",
    "identity": "pitfall-equal-is-not-the-same",
    "change": "pitfall-operands-do-not-change",
    "cost": "pitfall-one-visit-for-each-value",
}

TASKS = {  # of the operators; codes without a task of their own take it from what they are about
    **dict.fromkeys(("Value", "+", "*"), "1.1"),
    **dict.fromkeys(("unary -", "-", "/", "**"), "1.2"),
    **dict.fromkeys(("__radd__", "__rmul__", "__rsub__", "__rtruediv__"), "1.3"),
    **dict.fromkeys(("tanh", "exp", "relu"), "1.4"),
    "backward": "2.2",
}
