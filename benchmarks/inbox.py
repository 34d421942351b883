"""How quick the page is with thousands waiting: `python -m benchmarks.inbox [WAITING]`.

Makes invoices that all wait for a person, audits them, and asks a real server on loopback for its pages.
"""

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx

from tests.support.browsers import served
from tests.support.house import build_house
from tests.support.pages import PASSWORD, add_people, audited, page_settings

REPEAT = 15
LONGEST_MS = 200


def main(waiting: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        doubts = ("unknown_seller", "broken_id")
        house = build_house(
            Path(folder) / "house", clean=0, doubtful=tuple(random.Random(1).choices(doubts, k=waiting))
        )
        started = time.perf_counter()
        (review_id, *_) = audited(house)
        print(f"{waiting} invoices audited and put to a person in {time.perf_counter() - started:.0f} s")
        add_people(house, chen="manager")
        with served(page_settings(house)) as home, httpx.Client(base_url=home) as client:
            page = client.get("/sign-in").text
            csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
            client.post("/sign-in", data={"csrf": csrf, "name": "chen", "password": PASSWORD})
            for path in ("/", "/?rule=known_seller", "/?page=20", "/groups", f"/reviews/{review_id}", "/batches"):
                measure(client, path)
        house.close()


def measure(client: httpx.Client, path: str) -> None:
    times, size = [], 0
    for _ in range(REPEAT):
        started = time.perf_counter()
        answer = client.get(path).raise_for_status()
        times.append((time.perf_counter() - started) * 1000)
        size = len(answer.content)
    median = statistics.median(times)
    mark = "" if median < LONGEST_MS else f"  over {LONGEST_MS} ms"
    print(f"{path[:40]:42} median {median:6.1f} ms, slowest {max(times):6.1f} ms, {size / 1000:5.1f} kB{mark}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
