# Made by `autograder starter` from `sections` in pyproject.toml: edit it there.
"""The same as in the configuration, for the handout."""

SECTIONS = {
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
    "graphs": "pitfall-one-graph-after-another",
    "identity": "pitfall-equal-is-not-the-same",
    "change": "pitfall-operands-do-not-change",
    "cost": "pitfall-one-visit-for-each-value",
}
