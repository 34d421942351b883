"""Whoever brought an invoice in is asked about it and answers on the page: his word joins the history, nothing more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.house import House, assert_whole, build_house
from tests.support.pages import add_people, another, audited, page, sign_in
from tests.support.plans import plans_of

QUESTION, ANSWER = "请补充合同", "合同见附件 <b>7</b> 号"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """lin brought two doubtful invoices in; wang asked about one of them."""
    house = build_house(tmp_path_factory.mktemp("asked") / "house", clean=0, doubtful=("over_limit", "over_limit"))
    audited(house, submitter="lin")
    add_people(house, chen="manager", wang="reviewer", lin="submitter", zhao="submitter")
    with house.office() as office:
        office.decide(_reviews(house)[0], "respond", by="wang", reason=QUESTION)
    yield house
    house.close()


@pytest.fixture
def house(asked: House, tmp_path: Path) -> Iterator[House]:
    copy = asked.copy(tmp_path / "copy")
    yield copy
    copy.close()


def _reviews(house: House) -> list[str]:
    return [row[0] for row in house.ask("SELECT review_id FROM reviews ORDER BY review_id")]


def test_the_submitter_answers_and_the_reviewer_sees_it_in_the_history(house: House) -> None:
    review_id, _ = _reviews(house)
    with page(house) as client:
        csrf = sign_in(client, "lin")
        shown = client.get("/questions").text
        assert QUESTION in shown
        assert "waits for your answer" in shown
        assert client.get(f"/reviews/{review_id}").headers["location"] == f"/questions#{review_id}"
        assert client.post(f"/questions/{review_id}", data={"csrf": csrf, "text": ANSWER}).status_code == 303
        assert "合同见附件 &lt;b&gt;7&lt;/b&gt; 号" in client.get("/questions").text
        reviewer = another(client)
        sign_in(reviewer, "wang")
        review = reviewer.get(f"/reviews/{review_id}").text
        assert "Asked and answered" in review
        assert "The last answer was not taken" not in review, "a question is no refused answer"
        assert review.count("合同见附件 &lt;b&gt;7&lt;/b&gt; 号") == 2, (
            "it stands beside the question and in the history"
        )
        assert "Answered" in reviewer.get("/").text.title()
    told = house.ask("SELECT recipient, facts FROM notices WHERE kind = 'answered'")
    assert [recipient for recipient, _ in told] == ["person:wang"]
    assert house.statuses() == {"waiting": 2}
    assert_whole(house)


@pytest.mark.parametrize(("name", "which"), [("zhao", 0), ("wang", 0), ("chen", 0), ("lin", 1)])
def test_nobody_answers_what_he_was_not_asked(house: House, name: str, which: int) -> None:
    with page(house) as client:
        csrf = sign_in(client, name)
        answer = client.post(f"/questions/{_reviews(house)[which]}", data={"csrf": csrf, "text": ANSWER})
        made_up = client.post("/questions/rev_0000000000000000", data={"csrf": csrf, "text": ANSWER})
        assert answer.status_code == (409 if name == "lin" else 404)
        assert made_up.status_code == 404
        assert QUESTION not in client.get("/questions").text or name == "lin"
    assert house.log_lines("submitter answered") == 0


def test_an_answer_gives_no_say_in_the_decision(house: House) -> None:
    review_id, _ = _reviews(house)
    with page(house) as client:
        csrf = sign_in(client, "lin")
        tried = {"csrf": csrf, "text": "批准", "kind": "approve", "reason.approve": "mine"}
        assert client.post(f"/questions/{review_id}", data=tried).status_code == 303
        assert client.post(f"/reviews/{review_id}/decision", data=tried).status_code == 403
    assert house.ask("SELECT status FROM reviews WHERE review_id = ?", review_id) == [("open",)]
    assert house.ask("SELECT count(*) FROM decisions WHERE kind <> 'respond'") == [(0,)]


def test_an_answer_needs_the_token_of_a_page_words_and_an_open_review(house: House) -> None:
    review_id, _ = _reviews(house)
    with page(house) as client:
        csrf = sign_in(client, "lin")
        assert client.post(f"/questions/{review_id}", data={"text": ANSWER}).status_code == 403
        assert client.post(f"/questions/{review_id}", data={"csrf": csrf, "text": " \n"}).status_code == 422
        assert client.post(f"/questions/{review_id}", data={"csrf": csrf, "text": "长" * 2001}).status_code == 422
        client.app.state.frame.office.decide(review_id, "reject", by="wang", reason="no contract")
        assert client.post(f"/questions/{review_id}", data={"csrf": csrf, "text": ANSWER}).status_code == 409
    assert house.log_lines("submitter answered") == 0


def test_the_history_of_a_review_is_found_without_reading_the_whole_log(house: House) -> None:
    review_id, _ = _reviews(house)
    with page(house) as client, plans_of(client.app.state.frame.office.services.engine) as told:
        sign_in(client, "wang")
        assert client.get(f"/reviews/{review_id}").status_code == 200
    of_log = [line for line in told if " audit_log" in line]
    assert of_log
    assert [line for line in of_log if "ix_audit_log_subject" not in line] == []
