"""What a submission must never be able to tell anybody: the hidden tests' inputs."""

from random import Random

CANARY = "canary-5d1f0b"  # stands for the text of the hidden tests


def inputs(seed):
    """Return four numbers between 1 and 2, with few zeros in their digits."""
    return [round(1 + Random(f"{seed} {name}").random(), 12) for name in ("left", "right", "tanh", "exp")]
