"""Many decisions at once: inside one reason group, never over high risk, and each for itself.

What fails stays as it was, with its reason; the others are done. The same once more changes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foundation.database import reading
from foundation.errors import RefusedError, RemembrancerError, UsageError
from oversight.action import DecisionKind
from oversight.reviews import Review, find_review
from oversight.risk import Risk
from remembrancer.settled import Settled

if TYPE_CHECKING:
    from remembrancer.office import Office


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one of many: settled, or why not."""

    review_id: str
    settled: Settled | None = None
    why: str = ""

    @property
    def done(self) -> bool:
        """Whether the decision took effect, now or by the same click before."""
        return not self.why


def decide_each(
    office: "Office",
    review_ids: Sequence[str],
    kind: DecisionKind,
    *,
    by: str,
    reason: str,
    via: str,
    seen: Mapping[str, str],
) -> list[Outcome]:
    """Decide each of the reviews; see `Office.decide_many`."""
    ids = list(dict.fromkeys(review_ids))
    if not ids:
        raise UsageError("nothing is named: give the ids of reviews, or --group RULE")
    if kind == "edit":
        raise UsageError("a correction is for one review: decide it by itself")
    with reading(office.services.engine) as connection:
        found = [find_review(connection, office.services.tenant, review_id) for review_id in ids]
    if len(rules := sorted({review.rule for review in found})) > 1:
        raise UsageError(f"these were opened for different reasons ({', '.join(rules)}): decide each group by itself")

    def decide(review: Review) -> Outcome:
        try:
            if len(ids) > 1 and review.risk >= Risk.HIGH:
                raise RefusedError(f"{review.review_id} is of high risk: it is decided by itself, never in a group")
            digest = seen.get(review.review_id, "")
            settled = office.decide(review.review_id, kind, by=by, reason=reason, via=via, seen=digest)
        except RemembrancerError as error:
            return Outcome(review.review_id, why=str(error))
        asked = kind == "respond"
        return Outcome(review.review_id, settled, "" if asked else settled.still_open)

    return [decide(review) for review in found]
