"""The page in Chromium: sign in, upload, watch, decide in every way, by keyboard, on a phone, two people at once."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from remembrancer import Memory, Message, Scope
from tests.support.browsers import Watched, chromium, served, window
from tests.support.house import House, build_house
from tests.support.pages import add_people, audited, page_settings

FIFTY = Path(__file__).parents[2] / "examples" / "fifty"
UNDO_SECONDS = 1.0
DOUBTS = ("over_limit", "broken_id", "broken_id", *("unknown_seller",) * 22)
MOST_BYTES = 100_000


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, str]]:
    """A house with people and doubtful invoices of several kinds, and its page."""
    house = build_house(tmp_path_factory.mktemp("site") / "house", clean=2, doubtful=DOUBTS)
    audited(house, submitter="lin")
    add_people(house, chen="manager", wang="reviewer", lin="submitter", root="admin")
    changes = {"inbox_undo_seconds": UNDO_SECONDS, "policy": str(FIFTY / "policy.toml"), "embedder": "none", "lang": ""}
    with served(page_settings(house, **changes)) as home:
        yield house, home
    house.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def _waiting(house: House, rule: str) -> list[str]:
    query = "SELECT review_id FROM reviews WHERE status = 'open' AND rule = ? ORDER BY amount DESC"
    return [row[0] for row in house.ask(query, rule)]


def _settled(house: House, review_id: str, watched: Watched) -> tuple[str, str]:
    """Status of review and invoice, once the time to call the decision back is over."""
    for _ in range(100):
        ((review, invoice),) = house.ask(
            "SELECT r.status, i.status FROM reviews r JOIN invoices i ON i.invoice_id = r.subject WHERE review_id = ?",
            review_id,
        )
        kept = house.ask("SELECT 1 FROM scheduled_decisions WHERE status IN ('scheduled', 'taking')")
        if not kept:
            return review, invoice
        watched.page.wait_for_timeout(200)
    raise AssertionError("the decision was never taken")


def test_fifty_invoices_are_dropped_watched_and_the_fiftieth_is_corrected(
    site: tuple[House, str], browser: Browser
) -> None:
    house, home = site
    with window(browser, home) as chen:
        chen.sign_in("chen")
        chen.go("/batches")
        chen.page.set_input_files("#files", [str(file) for file in sorted(FIFTY.iterdir())])
        chen.page.click("details.more summary")
        chen.page.fill("#u-label", "fifty")
        chen.page.fill("#u-submitter", "lin")
        chen.page.click("text=Start the audit")
        row = chen.page.locator("#batches tr", has_text="fifty-")
        expect(row.get_by_text("Booked 49")).to_be_visible(timeout=60_000)
        expect(row.get_by_text("Waiting 1")).to_be_visible()
        chen.go("/?q=44168472")
        chen.page.click(".item")
        expect(chen.page.locator(".cells .marked")).to_contain_text("91990000770035121")
        chen.page.click("[data-candidate='919900007708035121']")
        expect(chen.page.locator("#set-seller_tax_id")).to_have_value("919900007708035121")
        chen.page.fill("#reason-edit", "code confirmed with the seller")
        with chen.page.expect_navigation():
            chen.page.click("#choice-edit button.primary")
        ((review_id,),) = house.ask("SELECT review_id FROM reviews WHERE headline LIKE '%44168472%'")
        assert _settled(house, review_id, chen) == ("applied", "booked")
        chen.go(f"/reviews/{review_id}")
        expect(chen.page.locator(".fields del")).to_have_text("91990000770035121")
        expect(chen.page.locator("#presence")).to_contain_text("chen edited it")


def test_one_approves_rejects_and_asks_and_what_was_asked_stays_open(site: tuple[House, str], browser: Browser) -> None:
    house, home = site
    first, second = _waiting(house, "seller_tax_id")[:2]
    (third,) = _waiting(house, "amount_limit")
    with window(browser, home) as chen:
        chen.sign_in("chen")
        chen.go(f"/reviews/{first}")
        chen.page.click("text=Reject")
        chen.page.fill("#reason-reject", "made up by nobody we know")
        chen.page.click("#choice-reject button.bad")
        expect(chen.page.locator(".toast", has_text="rejected").first).to_be_visible()
        assert _settled(house, first, chen) == ("applied", "rejected")
        chen.go(f"/reviews/{second}")
        chen.page.click("button:has-text('Ask')")
        chen.page.fill("#reason-respond", "is this the new id?")
        chen.page.click("#choice-respond button.primary")
        expect(chen.page.locator(".toast", has_text="asked the submitter").first).to_be_visible()
        assert _settled(house, second, chen) == ("open", "waiting")
        chen.go(f"/reviews/{third}")
        chen.page.click("button:has-text('Approve')")
        assert _settled(house, third, chen) == ("applied", "booked")


def test_a_decision_is_called_back_while_there_is_time(site: tuple[House, str], browser: Browser) -> None:
    house, _ = site
    review_id = _waiting(house, "known_seller")[-1]
    patient = page_settings(house, inbox_undo_seconds=60.0, lang="")
    with served(patient) as home, window(browser, home) as chen:
        chen.sign_in("chen")
        chen.go(f"/reviews/{review_id}")
        chen.page.keyboard.press("a")
        expect(chen.page.locator(".toast", has_text="approved").first).to_be_visible()
        chen.page.keyboard.press("u")
        chen.page.wait_for_url(f"**/reviews/{review_id}")
        assert house.ask("SELECT status FROM scheduled_decisions WHERE review_id = ?", review_id) == [("cancelled",)]
        assert house.ask("SELECT status FROM reviews WHERE review_id = ?", review_id) == [("open",)]


def test_the_keyboard_alone_is_enough(site: tuple[House, str], browser: Browser) -> None:
    house, home = site
    with window(browser, home) as chen:
        chen.sign_in("chen")
        chen.go("/?rule=known_seller&seller=" + "新")
        chen.page.keyboard.press("j")
        chen.page.keyboard.press("j")
        second = chen.page.evaluate("document.activeElement.dataset.item")
        assert second
        chen.page.keyboard.press("Enter")
        chen.page.wait_for_url(f"**/reviews/{second}**")
        chen.page.keyboard.press("?")
        expect(chen.page.locator("#help")).to_be_visible()
        chen.page.keyboard.press("Escape")
        chen.page.keyboard.press("r")
        chen.page.keyboard.type("not ours")
        with chen.page.expect_navigation():
            chen.page.keyboard.press("Control+Enter")
        assert chen.page.url != f"{home}/reviews/{second}", "the next one opens by itself"
        assert _settled(house, second, chen) == ("applied", "rejected")


def test_a_group_is_decided_at_once_with_count_and_sum_and_undone_together(
    site: tuple[House, str], browser: Browser
) -> None:
    house, home = site
    with window(browser, home) as chen:
        chen.sign_in("chen")
        chen.go("/groups")
        chen.page.locator("tr a[title='known_seller']").first.click()
        boxes = chen.page.locator("input[name=review]")
        count = boxes.count()
        assert count > 1
        expect(chen.page.locator("[data-tally]")).to_contain_text(f"{count} chosen")
        boxes.first.uncheck()
        expect(chen.page.locator("[data-tally]")).to_contain_text(f"{count - 1} chosen")
        ids = [box.get_attribute("value") for box in boxes.all()]
        chen.page.click("button:has-text('Approve')")
        chen.page.wait_for_url("**/groups")
        _settled(house, ids[-1] or "", chen)
        marks = ",".join("?" * len(ids))
        statuses = house.ask(f"SELECT status FROM reviews WHERE review_id IN ({marks})", *ids)
        assert sorted(row[0] for row in statuses) == ["applied"] * (count - 1) + ["open"]


def test_of_two_people_on_one_review_one_wins_and_the_other_is_told(site: tuple[House, str], browser: Browser) -> None:
    house, home = site
    review_id = _waiting(house, "known_seller")[0]
    with window(browser, home) as chen, window(browser, home, expected=(409,)) as wang:
        for one, name in ((chen, "chen"), (wang, "wang")):
            one.sign_in(name)
            one.go(f"/reviews/{review_id}")
        chen.page.keyboard.press("c")
        expect(wang.page.locator("#presence")).to_contain_text("chen is at it.")
        chen.page.keyboard.press("c")
        expect(wang.page.locator("#presence")).to_contain_text("Nobody is at it.")
        wang.page.click("button:has-text('Reject')")
        wang.page.fill("#reason-reject", "I was about to")
        chen.page.keyboard.press("a")
        chen.page.wait_for_url(lambda url: review_id not in url)
        expect(wang.page.locator("#presence")).to_contain_text("chen")
        expect(wang.page.locator(".deciding")).to_be_hidden()
        wang.page.evaluate("document.querySelector('#choice-reject button.bad').click()")
        expect(wang.page.locator("main")).to_contain_text("Somebody was first")
        assert _settled(house, review_id, chen)[0] == "applied"
        assert house.ask("SELECT decided_by FROM decisions WHERE review_id = ? AND taken", review_id) == [("chen",)]


def test_the_page_speaks_both_languages_and_keeps_the_choice(site: tuple[House, str], browser: Browser) -> None:
    _, home = site
    with window(browser, home, locale="zh-CN") as chen:
        chen.sign_in("chen")
        expect(chen.page.locator("h1")).to_have_text("等待审批")
        chen.page.click(".side button:has-text('English')")
        expect(chen.page.locator("h1")).to_have_text("Waiting for you")
        chen.page.click(".side button:has-text('Dark')")
        chen.go("/ledger")
        assert chen.page.get_attribute("html", "data-theme") == "dark"
        assert chen.page.get_attribute("html", "lang") == "en"


PATHS = (
    *("/", "/?status=expired", "/batches", "/groups", "/feed", "/ledger", "/log", "/rules", "/memory", "/quarantine"),
    *("/people", "/account", "/api"),
)


def _every_page(house: House) -> list[str]:
    ((batch_id,),) = house.ask("SELECT batch_id FROM batches WHERE name = 'september'")
    found = [house.ask("SELECT review_id FROM reviews WHERE status = ? LIMIT 1", each) for each in ("open", "applied")]
    seen = [f"/reviews/{review_id}" for rows in found for (review_id,) in rows]
    ((rule, party),) = house.ask("SELECT rule, party FROM reviews WHERE rule = 'known_seller' LIMIT 1")
    return [
        *PATHS,
        *seen,
        f"/batches/{batch_id}",
        f"/batches/{batch_id}/report",
        f"/groups/one?rule={rule}&party={party}&currency=CNY",
        "/questions",
        "/?status=postponed",
        "/no-such-page",
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_shuts_anybody_out(site: tuple[House, str], browser: Browser, theme: str) -> None:
    house, home = site
    with window(browser, home, color_scheme=theme, expected=(404,)) as chen:
        chen.go("/sign-in")
        faults = _serious(chen, "/sign-in")
        chen.sign_in("root")
        for path in _every_page(house):
            chen.go(path)
            faults += _serious(chen, path)
        assert faults == []


def _serious(watched: Watched, path: str) -> list[str]:
    found = Axe().run(watched.page).response["violations"]
    grave = [fault for fault in found if fault["impact"] in {"serious", "critical"}]
    return [f"{path}: {fault['id']} {[node['target'] for node in fault['nodes']][:3]}" for fault in grave]


def test_on_a_phone_nothing_runs_off_the_side(site: tuple[House, str], browser: Browser) -> None:
    house, home = site
    with window(browser, home, viewport={"width": 375, "height": 740}, has_touch=True, expected=(404,)) as chen:
        chen.sign_in("root")
        for path in _every_page(house):
            chen.go(path)
            wide = chen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{path} is {wide} pixels too wide"


def test_an_administrator_adds_a_person_and_makes_a_token_that_is_shown_once(
    site: tuple[House, str], browser: Browser
) -> None:
    _, home = site
    with window(browser, home) as root:
        root.sign_in("root")
        root.go("/people")
        root.page.fill("#name", "qian")
        root.page.fill("#limit", "5,000.00")
        root.page.click("button:has-text('Add')")
        expect(root.page.locator(".people")).to_contain_text("qian")
        expect(root.page.locator(".people li:has(strong:text-is('qian'))")).to_contain_text("5,000.00")
        root.page.click(".side .who")
        root.page.fill("#label", "night run")
        root.page.click("button:has-text('New token')")
        expect(root.page.locator(".secret")).to_contain_text("rmb_")
        root.go("/account")
        expect(root.page.locator(".secret")).to_have_count(0)
        root.page.click("tr:has-text('night run') button")
        expect(root.page.locator("tr", has_text="night run")).to_contain_text("revoked")


def test_the_title_counts_what_waits_and_a_broken_line_or_too_much_to_send_is_said(
    site: tuple[House, str], browser: Browser
) -> None:
    house, home = site
    with window(browser, home, viewport={"width": 375, "height": 740}) as lin, window(browser, home) as chen:
        chen.sign_in("chen")
        waiting = house.ask("SELECT count(*) FROM reviews WHERE status = 'open'")[0][0]
        expect(chen.page).to_have_title(f"({waiting}) Waiting for you · Remembrancer")
        chen.page.locator(".item").first.click()
        expect(chen.page.locator(".top")).to_contain_text(f"1 of {waiting}")
        lin.sign_in("lin")
        lin.page.evaluate("document.body.dispatchEvent(new CustomEvent('htmx:sendError', {bubbles: true}))")
        expect(lin.page.locator(".toast", has_text="nothing was sent").first).to_be_visible()
        lin.page.evaluate("document.querySelector('#upload').dataset.most = 10")
        lin.page.set_input_files("#files", {"name": "a.zip", "mimeType": "application/zip", "buffer": b"x" * 11})
        lin.page.click("text=Start the audit")
        expect(lin.page.locator(".toast", has_text="send it in parts").first).to_be_visible()


def test_the_first_page_is_small(site: tuple[House, str], browser: Browser) -> None:
    _, home = site
    sizes: dict[str, int] = {}
    with window(browser, home) as chen:
        chen.sign_in("chen")
        session = chen.page.context.new_cdp_session(chen.page)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        session.on(
            "Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]})
        )
        chen.go("/")
        chen.page.wait_for_timeout(500)
    assert 10_000 < sum(sizes.values()) < MOST_BYTES


def test_marks_from_documents_and_memories_are_text(site: tuple[House, str], browser: Browser) -> None:
    house, home = site
    evil = "<img src=x onerror=\"document.title='broken in'\"><script>document.title='broken in'</script>"
    review_id = _waiting(house, "known_seller")[0]
    question = house.ask("SELECT question FROM reviews WHERE review_id = ?", review_id)[0][0]
    escaped = evil.replace('"', '\\"')
    seller = re.search(r'"seller": "([^"]+)"', question)
    assert seller
    house.change("UPDATE reviews SET question = ? WHERE review_id = ?", question.replace(seller[1], escaped), review_id)
    memory = Memory.open(house.settings.url, embedder=None)
    scope = Scope.user(house.services.tenant, "chen")
    memory.observe(scope, [Message("m1", "talk", "user", "I live in Hangzhou", datetime(2026, 9, 1, tzinfo=UTC))])
    memory.correct(scope, memory.current(scope)[0].memory_id, evil)
    memory.close()
    with window(browser, home) as chen:
        chen.sign_in("chen")
        for path in (f"/reviews/{review_id}", "/", "/memory"):
            chen.go(path)
            chen.page.wait_for_timeout(300)
            assert chen.page.title() != "broken in"
        expect(chen.page.locator(".memories")).to_contain_text("onerror")
    house.change("UPDATE reviews SET question = ? WHERE review_id = ?", question, review_id)
