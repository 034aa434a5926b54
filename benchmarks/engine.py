"""What the solution's engine costs: time and memory of a graph, against another scalar engine.

The other engine is micrograd if it is installed (`pip install micrograd`), else the closures of the
bank of correct engines, which are written the same way. Time is forward and backward of one graph of
additions, products, powers and relu, the collector off; memory is what a node holds while the graph
lives. Prints ratios; quote those and not the seconds.

Usage: python benchmarks/engine.py [PAIRS]
"""

from __future__ import annotations

import gc
import importlib.util
import statistics
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
STEPS = 4000


def engine_at(path: Path) -> Any:
    """Return the `Value` that a file defines."""
    specification = importlib.util.spec_from_file_location(f"engine_{path.parent.name}", path)
    assert specification is not None, path
    assert specification.loader is not None, path
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.Value


def other_engine() -> tuple[str, Any]:
    """Return the engine that the solution is compared with, and its name."""
    if importlib.util.find_spec("micrograd"):
        return "micrograd", importlib.import_module("micrograd.engine").Value
    return "closures", engine_at(ROOT / "autograder/tests/mistakes/correct/closures.py")


def graph(value: Any) -> Any:
    """Return the output of a graph of some thousand operations, shallow enough for a recursive backward."""
    total = value(0.0)
    for block in range(STEPS // 50):
        x = value(0.5 + block / 1000)
        for _ in range(50):
            x = ((x * 0.5 + 0.3) ** 2).relu() + x * 0.1
        total = total + x if block % 8 else x
    return total


def seconds(value: Any) -> float:
    """Return the time of one forward and backward pass."""
    gc.collect()
    gc.disable()
    started = time.perf_counter()
    graph(value).backward()
    elapsed = time.perf_counter() - started
    gc.enable()
    return elapsed


def bytes_per_node(value: Any) -> float:
    """Return the memory that the graph holds after its forward pass, for each node that was made."""
    chain = value(1.0)
    gc.collect()
    tracemalloc.start()
    for _ in range(20_000):
        chain = chain * 1.0001
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held / 40_000  # each step makes the product and wraps the constant


def main(pairs: int) -> None:
    """Time both engines in turn, and print the median ratio and the memory of each."""
    ours = engine_at(ROOT / "solution/engine.py")
    name, theirs = other_engine()
    seconds(ours), seconds(theirs)
    ratios = sorted(seconds(ours) / seconds(theirs) for _ in range(pairs))
    print(f"time    solution ÷ {name}: median {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")
    print(f"memory  solution {bytes_per_node(ours):.0f}, {name} {bytes_per_node(theirs):.0f} bytes a node")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
