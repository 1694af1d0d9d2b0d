"""wfb3:1.1-gm  The game master's seat: asked where the book leaves a matter to him, or answered by the usual ruling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.kernel.citing import cites
from grognard.kernel.questions import Option, Pick, Script

SEAT = "referee"


@cites
def decide(
    battle: Battle, matter: str, options: Sequence[Option], usual: str, *, rule: str, about: Sequence[str] = ()
) -> Script[Any]:
    """wfb3:1.1-gm
    One matter the book leaves open. `usual` is the key of the digest's ruling; either way it is told as a ruling."""
    values = {o.key: o.value for o in options}
    key = usual
    if battle.house["referee"] == "person" and len(options) > 1:
        ordered = [*(o for o in options if o.key == usual), *(o for o in options if o.key != usual)]
        chosen = yield Pick(SEAT, f"referee.{matter}", [Option(o.key, o.key, o.text, o.about, o.data) for o in ordered],
                            rule=rule, about=about)  # fmt: skip
        key = chosen
    battle.tell(
        "ruling",
        rule,
        about,
        matter=matter,
        answer=key,
        by="referee" if battle.house["referee"] == "person" else "book",
    )
    return values[key]
