"""How a batch was watched, in words: on the terminal and in the HTML report."""

from collections.abc import Iterator, Mapping

from invoices.findings import Lang
from oversight.action import Message
from oversight.question import in_language
from remembrancer.reports.data import BatchReport

DEGREE_WORDS: Mapping[str, Message] = {
    "hitl": {"zh": "人在环中：触发规则即等待", "en": "in the loop: what hits a rule waits"},
    "hotl": {"zh": "人在环上：运行不停，可随时刹车", "en": "on the loop: the run goes on, a brake stops it"},
    "hootl": {"zh": "人在环外：触发即暂扣，超限即终止", "en": "out of the loop: what hits a rule is held"},
    "shadow": {"zh": "影子模式：只给意见，不做决定", "en": "shadow: advises and decides nothing"},
}

_WORDS: Mapping[str, Message] = {
    "advised": {
        "zh": "影子模式：{ask} 张会请人审批，{book} 张会入账；什么都没有入账。",
        "en": "Shadow: {ask} would have asked a person, {book} would have been booked; nothing was.",
    },
    "held": {
        "zh": "{count} 张被暂扣，没有入账，也没有请人审批。",
        "en": "{count} are held: not booked, and nobody was asked.",
    },
    "ended": {
        "zh": "运行提前终止：{why}（{left} 个文件未审）",
        "en": "The run was ended early: {why} ({left} files were not examined)",
    },
    "stopped": {
        "zh": "运行停在刹车处：{why}（{by}）。松开：remembrancer brake off",
        "en": "The run stands at the brake: {why} ({by}). To go on: remembrancer brake off",
    },
    "samples": {"zh": "抽查 {count} 张已入账发票。", "en": "{count} booked invoices are sampled for a check."},
}


def run_words(report: BatchReport, lang: Lang) -> Iterator[tuple[str, str]]:
    """What the degree of oversight did to the run, a line and its style each."""
    counts, held = report.counts, report.watched
    if advised := counts.get("advised", 0):
        ask = sum(1 for one in report.invoices if one.status == "advised" and any(f.asks for f in one.findings))
        yield _WORDS["advised"][lang].format(ask=ask, book=advised - ask), "cyan"
    if counts.get("held"):
        yield _WORDS["held"][lang].format(count=counts["held"]), "yellow"
    if held.run.ended_why:
        left = report.batch.files - len({one.file_seq for one in report.invoices})
        yield _WORDS["ended"][lang].format(why=in_language(held.run.ended_why, lang), left=left), "bold red"
    for brake in [one for one in held.brakes if one.on and report.batch.finished_at is None]:
        yield _WORDS["stopped"][lang].format(why=brake.why or "–", by=brake.pulled_by), "bold red"
    if held.samples:
        yield _WORDS["samples"][lang].format(count=len(held.samples)), "cyan"
