"""The toy game of the case runner's tests, dressed for the terminal: words, a table to draw, odds, points."""

from __future__ import annotations

from typing import Any

from grognard.kernel.battle import Battle
from grognard.kernel.odds.odds import Odds, OddsArgument, OddsQuestion, OddsStep
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.ruleset import RosterLine
from grognard.kernel.words.tally import Tally
from tests.check.toy import Toy as CheckToy
from tests.check.toy import ToyBattle, shot

TEXTS = {
    "event.stance": "{about0} is {stance}",
    "event.moved": "{about0} goes to {to}",
    "event.shot": "{about0} shoots at {about1}: {wounds}",
    "event.killed": "{about0} falls",
    "event.shared": "{about0} shares {shares}",
    "event.guessed": "{about0} guesses {guess}",
    "event.end": "the game ends",
    "ask.stance": "Which stance?",
    "ask.move.who": "Who moves?",
    "ask.move.where": "Where to?",
    "ask.shoot.target": "Shoot at whom?",
    "ask.shoot.hit": "{seat} shoots",
    "ask.shoot.wounds": "{seat} rolls the wounds",
    "ask.spoils.share": "Share the gold",
    "ask.spoils.watch": "Who watches when?",
    "ask.spoils.guess": "Guess",
    "models": "more models",
    "list.size": "{count} models are too many, {most} are allowed",
    "list.lucky": "a lucky army",
    "refuse.too-far": "that is {length} cm, the reach is 10",
    "refuse.moved": "it has moved",
    "refuse.out-of-range": "it is out of range",
    "propose.forward": "straight on",
}

SHOT = OddsQuestion(
    "shot",
    "the wounds of one shot",
    (
        OddsArgument("aim", "whole", "what is added to the die", default=0, least=-5, most=5),
        OddsArgument("mood", "text", "how the shooter feels", default="calm", choices=("calm", "wild")),
        OddsArgument("card", "mapping", "the shooter's card"),
    ),
    "aim=1",
)
WORD = OddsQuestion("word", "hit or miss", (OddsArgument("aim", "whole", "what is added", required=True),))


class Toy(CheckToy):
    """The game in the terminal."""

    texts = {**CheckToy.texts, **TEXTS}
    scenarios = {"plain": "Plain"}
    odds_questions = {"shot": SHOT, "word": WORD}

    def view(self, battle: Battle, seat: str | None) -> dict[str, Any]:
        assert isinstance(battle, ToyBattle)
        shown = super().view(battle, seat)
        models = {
            m.id: {
                "side": m.side,
                "unit": m.id,
                "pose": {"x": m.at[0], "y": m.at[1], "facing": 0.0},
                "wounds": m.wounds,
            }
            for m in battle.models.values()
        }
        wood = {
            "id": "wood",
            "kind": "wood",
            "sight": "area",
            "points": [[200, 200], [300, 200], [300, 300], [200, 300]],
        }
        fence = {"id": "fence", "kind": "fence", "sight": "cover", "points": [[400, 100], [402, 100], [402, 300]]}
        table = {"width": battle.table.width, "height": battle.table.height}
        markers = [{"id": "gold", "x": 350.0, "y": 150.0}]
        shown |= {"models": models, "table": table, "terrain": [wood, fence], "markers": markers, "turn": battle.round}
        return shown

    def default_setup(self, scenario: str | None = None, armies: tuple[str, ...] = (), seed: int = 0) -> dict[str, Any]:
        setup = super().default_setup(scenario, armies, seed)
        setup["models"]["marl"] = {"side": "red", "at": [12, 20]}
        return setup

    def roster(self, army: dict[str, Any]) -> list[RosterLine]:
        return [RosterLine(str(name), "pebble", 1, 5, ("small",)) for name in army.get("models", [])]

    def weigh(self, what: str, arguments: dict[str, Any]) -> Odds:
        weigher = Weigher()
        plus = Tally(arguments["aim"], "aim", "toy:3-hit")
        found = weigher.run(lambda: shot("red", plus))
        hit = found.chance(lambda wounds: wounds > 0)
        if what == "word":
            return Odds.of(what, found.map(lambda wounds: "hit" if wounds else "miss"), touched=weigher.touched)
        return Odds.of(
            what, found, parts={"wounds": lambda wounds: wounds}, tests={"any": lambda wounds: wounds > 0},
            touched=weigher.touched, steps=[OddsStep("hit", hit, "toy:3-hit")],
        )  # fmt: skip


TOY = Toy()
