"""The process that compares: reads a Question on standard input, writes a Comparison.

copydetect makes fingerprints of each program (winnowing: Schleimer, Wilkerson and Aiken, SIGMOD 2003), for which names,
comments and layout make no difference. What everybody was given is left out, and so is what more than a third of the
class has: that came from the lecture. Hashes of strings decide which fingerprints are kept, so the caller fixes their
seed: the same class gives the same pairs.
"""

from __future__ import annotations

import bisect
import io
import itertools
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from .messages import Comparison, Pair, Question

if TYPE_CHECKING:
    from copydetect import CodeFingerprint

_LENGTH, _WINDOW = 25, 6  # copydetect's own: a passage of 30 characters, without names, is always found
_COMMON, _FEW = 1 / 3, 5  # what this part of the class has, and at least so many, is common property
_OWN = 8  # fingerprints without which a program is too short to say anything
_HALF = 0.5  # of the fingerprints of the shorter one: with less, a pair is not looked at closely


def compared(question: Question) -> Comparison:
    """Return the pairs of a question, the most similar first."""
    given = [fingerprint(text, window=1).hashes for text in question.given]
    left_out = set().union(*given)
    first = [fingerprint(text, left_out).hashes for text in question.texts]
    seen = Counter(itertools.chain.from_iterable(first))
    left_out |= {mark for mark, count in seen.items() if count > max(_FEW, _COMMON * len(first))}
    prints = {place: fingerprint(text, left_out) for place, text in enumerate(question.texts)}
    prints = {place: each for place, each in prints.items() if len(each.hashes) >= _OWN}
    shares = [0] * 101  # how many pairs have so many fingerprints in common, in per cent
    pairs = []
    for one, other in itertools.combinations(prints, 2):
        a, b = prints[one], prints[other]
        share = len(a.hashes & b.hashes) / min(len(a.hashes), len(b.hashes))
        shares[int(100 * share)] += 1
        if share >= _HALF:
            pair = _pair(one, other, a, b)
            pairs += [pair] if pair.share >= question.least else []
    pairs.sort(key=lambda pair: (-pair.share, pair.one, pair.other))
    middle = bisect.bisect_left([*itertools.accumulate(shares)], sum(shares) / 2)
    return Comparison(pairs=tuple(pairs[: question.most]), above=len(pairs), typical=middle / 100, compared=len(prints))


def fingerprint(text: str, left_out: Iterable[int] = (), *, window: int = _WINDOW) -> CodeFingerprint:
    """Return the fingerprints of a program, without those that are `left_out`."""
    from copydetect import CodeFingerprint

    known = sorted(left_out)
    return CodeFingerprint("", _LENGTH, window, boilerplate=known, language="python", fp=io.StringIO(text))


def _pair(one: int, other: int, a: CodeFingerprint, b: CodeFingerprint) -> Pair:
    from copydetect import compare_files

    _, shares, slices = compare_files(a, b)
    return Pair(
        one=one,
        other=other,
        share=min(1.0, float(sum(shares)) / 2),
        lines=_lines(a.raw_code, slices[0]),
        other_lines=_lines(b.raw_code, slices[1]),
    )


def _lines(text: str, slices: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the numbers of the lines that passages, from a place in the text to another, touch."""
    starts = [0, *(place + 1 for place, mark in enumerate(text) if mark == "\n")]
    found: set[int] = set()
    for start, end in zip(*slices, strict=True):
        found |= set(range(bisect.bisect_right(starts, int(start)), bisect.bisect_left(starts, int(end)) + 1))
    return tuple(sorted(found))


def main() -> None:
    """Answer one question."""
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Question)
    sys.stdout.buffer.write(msgspec.msgpack.encode(compared(question)))


if __name__ == "__main__":
    main()
