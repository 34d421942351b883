"""All routers of pages, in the order in which they are looked at."""

from fastapi import APIRouter

from remembrancer.inbox.pages import (
    account,
    api,
    batches,
    feed,
    groups,
    ledger,
    log,
    memory,
    people,
    questions,
    queue,
    review,
    rules,
)

_PAGES = (queue, review, groups, batches, questions, feed, ledger, log, rules, memory, people, account)
ROUTERS: tuple[APIRouter, ...] = (*(page.router for page in _PAGES), api.docs, api.router)
