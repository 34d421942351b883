"""The desk with two thousand reviews waiting: listing a page, counting the groups, deciding one.

`python -m benchmarks.desk [NUMBER]`. Deciding is measured with so many waiting and with at most a dozen; the ratio says
what the queue's length costs. The papers are made up, everything runs through the office as the command line does.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from oversight.queue import QueueFilter
from remembrancer.office import Office
from tests.support.house import House, build_house

FEW = 12
DECIDED = 10
PAGES = 40
PAGE_LIMIT_MS = 50


def milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def audited(root: Path, number: int) -> House:
    house = build_house(root, clean=0, doubtful=("over_limit",) * number)
    with house.office() as office:
        office.audit(house.start(), name="one")
    return house


def deciding(office: Office) -> float:
    """The median of deciding one review to its effect."""
    ids = office.desk.ids(office.services.tenant, QueueFilter())[:DECIDED]
    return statistics.median(milliseconds(partial(office.decide, one, "approve", by="lin")) for one in ids)


def main(number: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        few, many = audited(Path(folder, "few"), FEW), audited(Path(folder, "many"), number)
        with few.office() as office:
            alone = deciding(office)
        with many.office() as office:
            desk, tenant = office.desk, office.services.tenant
            deep = max(0, number - 50)
            first = statistics.median(milliseconds(lambda: desk.page(tenant, limit=50)) for _ in range(PAGES))
            last = statistics.median(
                milliseconds(lambda: desk.page(tenant, limit=50, offset=deep)) for _ in range(PAGES)
            )
            asked = QueueFilter(rule="amount_limit")
            filtered = statistics.median(milliseconds(lambda: desk.page(tenant, asked, limit=50)) for _ in range(PAGES))
            grouped = statistics.median(milliseconds(lambda: desk.groups(tenant)) for _ in range(PAGES))
            crowded = deciding(office)
        for house in (few, many):
            house.close()
    print(f"{number} reviews waiting")
    print(
        f"a page of 50: first {first:.1f} ms, last {last:.1f} ms, by rule {filtered:.1f} ms (goal: {PAGE_LIMIT_MS} ms)"
    )
    print(f"groups with counts and sums: {grouped:.1f} ms")
    print(f"deciding one: {crowded:.0f} ms, with at most {FEW} waiting {alone:.0f} ms, ratio {crowded / alone:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
