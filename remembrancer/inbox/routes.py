"""All routers of pages, in the order in which they are looked at."""

from fastapi import APIRouter

from remembrancer.inbox.pages import batches, feed, groups, ledger, log, memory, queue, review, rules

ROUTERS: tuple[APIRouter, ...] = tuple(
    page.router for page in (queue, review, groups, batches, feed, ledger, log, rules, memory)
)
