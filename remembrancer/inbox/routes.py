"""All routers of pages, in the order in which they are looked at."""

from fastapi import APIRouter

from remembrancer.inbox.pages import queue, review

ROUTERS: tuple[APIRouter, ...] = (queue.router, review.router)
