"""Calibration: what a confidence means, measured on labelled data - so that 0.8 is right eight times in ten.

A reliability table counts, for one reader, how often values of each raw confidence were right. The mapping is the
isotonic one (pool adjacent violators: a higher raw confidence never means less), with one right and one wrong value
added to each step, so that a few lucky ones don't make a certainty. Where a step stands on fewer than `LEAST` values
nothing is known: there the raw confidence, set by hand, stays in force, and whoever asks is told so.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

LEAST = 30
"""So many labelled values must stand behind a figure before it replaces the raw confidence."""
_Z = 1.96
"""Two-sided 95 %."""
_SAME = 1e-9
"""Floating point's own error in an interval's end."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Labelled values of one raw confidence: how many there were, and how many were right."""

    raw: float
    count: int
    right: int

    @property
    def accuracy(self) -> float:
        """The share that was right."""
        return self.right / self.count if self.count else 0.0


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A confidence as measured: the value, the labelled values behind it, and whether they suffice."""

    value: float
    highest: float
    """The most that the labelled values allow (upper end of the 95 % interval)."""
    count: int
    measured: bool
    """False: too few values stand behind it, and `value` is the raw confidence."""


@dataclass(frozen=True)
class Reliability:
    """The reliability table of one reader (or extractor)."""

    name: str
    bins: tuple[Bin, ...]
    """By raw confidence, ascending."""

    @property
    def count(self) -> int:
        """All labelled values."""
        return sum(one.count for one in self.bins)

    @property
    def error(self) -> float:
        """The expected calibration error: how far raw confidence and accuracy lie apart, on average over the values."""
        return sum(one.count * abs(one.raw - one.accuracy) for one in self.bins) / max(self.count, 1)

    @cached_property
    def steps(self) -> tuple[tuple[float, Bin], ...]:
        """The isotonic mapping: (from this raw confidence on, the values pooled there), ascending."""
        return tuple((one.raw, one) for one in _pooled(self.bins))

    def calibrate(self, raw: float) -> Calibrated:
        """What a raw confidence means; outside of what was measured, the raw confidence itself."""
        held = [one for start, one in self.steps if start <= raw]
        if not held or raw > self.bins[-1].raw:
            return Calibrated(raw, 1.0, 0, measured=False)
        step = held[-1]
        if step.count < LEAST:
            return Calibrated(raw, 1.0, step.count, measured=False)
        value = max((one.right + 1) / (one.count + 2) for one in held if one.count >= LEAST)
        return Calibrated(value, _highest(step.right, step.count), step.count, measured=True)


def reliability(name: str, values: Iterable[tuple[float, bool]], *, digits: int = 2) -> Reliability:
    """The table of (raw confidence, was it right) pairs; raw confidences that agree to `digits` share a bin."""
    counts: dict[float, list[int]] = defaultdict(lambda: [0, 0])
    for raw, right in values:
        found = counts[round(raw, digits)]
        found[0] += 1
        found[1] += right
    return Reliability(name, tuple(Bin(raw, count, right) for raw, (count, right) in sorted(counts.items())))


def cautious(raw: float, calibrated: Calibrated) -> float:
    """The confidence that a trigger sees: the raw one, unless the labelled values contradict it; then the measured one.

    A measurement may take trust away and gives none beyond what the reader itself claims: readers that are kept below
    the limit on purpose (pictures, models) stay there, however well a sample went.
    """
    contradicted = calibrated.measured and calibrated.highest < raw - _SAME
    return calibrated.value if contradicted else raw


def _highest(right: int, count: int) -> float:
    """The upper end of Wilson's 95 % interval for a share (E. B. Wilson, JASA 22, 1927)."""
    share, square = right / count, _Z * _Z
    middle = share + square / (2 * count)
    spread = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    return min(1.0, (middle + spread) / (1 + square / count))


def table_lines(table: Reliability) -> Sequence[str]:
    """The table as lines to print."""
    lines = [f"{table.name}: {table.count} values, expected calibration error {table.error:.3f}"]
    for one in table.bins:
        meant = table.calibrate(one.raw)
        means = f"means {meant.value:.3f}" if meant.measured else f"too few: {one.raw:.2f} stays"
        lines.append(f"  raw {one.raw:.2f}  {one.right:5d} of {one.count:5d} right ({one.accuracy:.3f})  {means}")
    return lines


def _pooled(bins: Sequence[Bin]) -> list[Bin]:
    """Pool adjacent violators: neighbours whose accuracy falls are one step, which begins at the lower raw value."""
    pooled: list[Bin] = []
    for one in bins:
        pooled.append(one)
        while len(pooled) > 1 and pooled[-2].accuracy >= pooled[-1].accuracy:
            last, before = pooled.pop(), pooled.pop()
            pooled.append(Bin(before.raw, before.count + last.count, before.right + last.right))
    return pooled
