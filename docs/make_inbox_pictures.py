"""Draw the pictures of the reviewers' page from the real program: `python -m docs.make_inbox_pictures [FOLDER]`.

Without a folder, the four pictures of the documentation are written beside this file. With one, every page is drawn
there in both languages and both themes, to be looked at. Needs Chromium.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from examples import make_fifty
from remembrancer.office import open_office
from tests.support.browsers import chromium, served, window
from tests.support.house import House, build_house
from tests.support.pages import add_people, audited, page_settings

DOCS = Path(__file__).parent
FIFTY = DOCS.parent / "examples" / "fifty"
WIDE, PHONE = {"width": 1360, "height": 860}, {"width": 390, "height": 780}
DOUBTS = ("over_limit", "broken_id", "unknown_seller", "unknown_seller", "unknown_seller")
PAGES = ("", "batches", "groups", "feed", "ledger", "log", "rules", "memory", "quarantine", "api")


def filled(root: Path) -> House:
    """A house with the fifty and some doubtful invoices more, and people."""
    company = make_fifty.COMPANY_ID
    house = build_house(root, clean=6, doubtful=DOUBTS)
    make_fifty.COMPANY_ID = company
    audited(house, submitter="lin")
    with open_office(house.settings) as office:
        office.audit({"paths": [str(FIFTY)], "policy": str(FIFTY / "policy.toml"), "submitter": "lin"}, name="fifty")
    add_people(house, chen="manager", wang="reviewer", lin="submitter")
    return house


def shoot(browser: Browser, home: str, paths: dict[str, Path], lang: str, theme: str, size: dict[str, int]) -> None:
    """Each path as a picture, as chen sees it."""
    locale = "zh-CN" if lang == "zh" else "en-US"
    with window(browser, home, locale=locale, color_scheme=theme, viewport=size) as chen:
        chen.sign_in("chen")
        for path, picture in paths.items():
            chen.go(path)
            chen.page.wait_for_timeout(600)
            chen.page.screenshot(path=str(picture))


def main(folder: Path | None) -> None:
    """Draw."""
    with tempfile.TemporaryDirectory() as temporary, chromium() as browser:
        house = filled(Path(temporary) / "house")
        ((fiftieth,),) = house.ask("SELECT review_id FROM reviews WHERE headline LIKE '%44168472%'")
        ((batch,),) = house.ask("SELECT batch_id FROM batches WHERE name = 'fifty'")
        with served(page_settings(house, lang="")) as home:
            if folder is None:
                review = f"/reviews/{fiftieth}"
                shoot(
                    browser,
                    home,
                    {"/": DOCS / "inbox-queue.png", review: DOCS / "inbox-review.png"},
                    "en",
                    "light",
                    WIDE,
                )
                shoot(browser, home, {review: DOCS / "inbox-review-zh.png"}, "zh", "dark", WIDE)
                shoot(browser, home, {"/": DOCS / "inbox-phone.png"}, "zh", "light", PHONE)
                return
            more = {"review": f"reviews/{fiftieth}", "batch": f"batches/{batch}", "report": f"batches/{batch}/report"}
            paths = {page or "queue": page for page in PAGES} | more
            for lang in ("zh", "en"):
                for theme in ("light", "dark"):
                    names = {f"/{path}": folder / f"{name}-{lang}-{theme}.png" for name, path in paths.items()}
                    shoot(browser, home, names, lang, theme, WIDE)
        house.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
