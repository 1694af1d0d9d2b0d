"""A small but whole game for testing the case runner: stances in secret, moves, shots, spoils."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from pathlib import Path
from typing import Any

from grognard.kernel.battle import Battle
from grognard.kernel.errors import BadInput, Refusal, Refused
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.odds.odds import Odds
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Number, Order, Pick, Place, Roll, Script, Split, Together, option
from grognard.kernel.ruleset import Finding, HouseRule, Ruleset
from grognard.kernel.words.tally import Tally

HERE = Path(__file__).resolve().parent
REACH, RANGE = 100.0, 300.0
PHASES = ("stances", "move", "shoot", "spoils")


class Model:
    """One model on the table."""

    __slots__ = ("aim", "at", "id", "moved", "side", "wounds")

    def __init__(self, name: str, side: str, at: tuple[float, float], wounds: int, aim: int, moved: bool) -> None:
        self.id, self.side, self.at, self.wounds, self.aim, self.moved = name, side, at, wounds, aim, moved

    def copy(self) -> Model:
        return Model(self.id, self.side, self.at, self.wounds, self.aim, self.moved)


class ToyBattle(Battle):
    """Two sides and their models."""

    __slots__ = ("active", "gold", "last", "models", "phase", "round", "stances")

    def __init__(self, house: dict[str, Any]) -> None:
        super().__init__(("red", "blue"), Table(600.0, 400.0), house)
        self.models: dict[str, Model] = {}
        self.stances: dict[str, str] = {}
        self.gold = 0
        self.round, self.last, self.phase, self.active = 1, 1, "stances", "red"

    def copy(self) -> ToyBattle:
        twin = ToyBattle(self.house)
        twin.models = {name: model.copy() for name, model in self.models.items()}
        twin.stances = dict(self.stances)
        twin.gold, twin.round, twin.last = self.gold, self.round, self.last
        twin.phase, twin.active = self.phase, self.active
        return twin

    def of(self, side: str) -> list[Model]:
        return [model for model in self.models.values() if model.side == side]

    @property
    def other(self) -> str:
        return "blue" if self.active == "red" else "red"

    def gap(self, a: str, b: str) -> float:
        (ax, ay), (bx, by) = self.models[a].at, self.models[b].at
        return hypot(ax - bx, ay - by)


class Walk:
    """toy:2-reach  Judges a move: at most 10 cm, on the table."""

    def __init__(self, battle: ToyBattle, model: Model) -> None:
        self.battle, self.model = battle, model

    def decode(self, wire: Any) -> tuple[float, float]:
        try:
            points = [(float(x), float(y)) for x, y in wire[self.model.id]["path"]]
        except (TypeError, KeyError, ValueError) as error:
            raise Refused(Refusal("refuse.bad-placement", "toy:2-move", {"problem": str(error)})) from None
        length = 0.0
        (x, y) = self.model.at
        for px, py in points:
            length += hypot(px - x, py - y)
            x, y = px, py
        if length > REACH + 1e-6:
            raise Refused(Refusal("refuse.too-far", "toy:2-reach", {"length": length / 10}))
        if not (0 <= x <= self.battle.table.width and 0 <= y <= self.battle.table.height):
            raise Refused(Refusal("refuse.off-table", "toy:2-table", {}))
        return x, y

    def encode(self, wire: Any) -> Any:
        return {self.model.id: {"path": [[float(x), float(y)] for x, y in wire[self.model.id]["path"]]}}

    def proposals(self) -> Sequence[str]:
        return ("forward", "stay")

    def propose(self, name: str) -> Any:
        x, y = self.model.at
        return {self.model.id: {"path": [[x + 50 if name == "forward" else x, y]]}}


def to_hit(battle: ToyBattle, shooter: Model) -> Tally:
    """toy:3-hit  What is added to the die."""
    tally = Tally(shooter.aim, "aim", "toy:3-hit")
    return tally.add(1 if battle.stances.get(shooter.side) == "brave" else 0, "brave", "toy:3-brave")


def shot(side: str, plus: Tally) -> Script[int]:
    """toy:3-hit  One shot; the wounds it does."""
    (face,) = yield Roll(side, "shoot.hit", 6, rule="toy:3-hit", plus=plus, need=5, sense="high")
    if face + plus.value < 5:
        return 0
    (wounds,) = yield Roll(side, "shoot.wounds", 3, rule="toy:3-wound")
    return int(wounds)


def stances(battle: ToyBattle) -> Script[None]:
    """toy:1-stance  Both choose, nobody sees, both are shown."""
    options = [option("brave"), option("wary")]
    chosen = yield Together(
        [Pick(side, "stance", options, rule="toy:1-stance", optional=True) for side in battle.seats], checkpoint=True
    )
    for side, stance in zip(battle.seats, chosen, strict=True):
        battle.stances[side] = stance or "none"
        battle.tell("stance", "toy:1-stance", [side], stance=battle.stances[side])


def moves(battle: ToyBattle) -> Script[None]:
    """toy:2-move  Each model of the active side may move once."""
    while True:
        free = [m for m in battle.of(battle.active) if not m.moved]
        moved = {m.id: Refusal("refuse.moved", "toy:2-move", {}) for m in battle.of(battle.active) if m.moved}
        who = yield Pick(
            battle.active, "move.who", [option(m.id, m, data={"aim": m.aim}) for m in free],
            optional=True, barred=moved, rule="toy:2-move", checkpoint=True,
        )  # fmt: skip
        if who is None:
            return
        at = yield Place(battle.active, "move.where", [who.id], Walk(battle, who), rule="toy:2-reach", optional=True)
        who.moved = True
        if at is not None:
            who.at = at
            battle.tell("moved", "toy:2-move", [who.id], to=[at[0] / 10, at[1] / 10])
        else:
            battle.tell("stayed", "toy:2-move", [who.id])


def shots(battle: ToyBattle) -> Script[None]:
    """toy:3-shoot  The first model of the active side may shoot at one enemy."""
    shooter = battle.of(battle.active)[0]
    enemies = battle.of(battle.other)
    near = [m for m in enemies if battle.gap(shooter.id, m.id) <= RANGE]
    far = {m.id: Refusal("refuse.out-of-range", "toy:3-range", {}) for m in enemies if m not in near}
    target = yield Pick(
        battle.active, "shoot.target", [option(m.id, m) for m in near], optional=True, barred=far,
        rule="toy:3-shoot", checkpoint=True,
    )  # fmt: skip
    if target is None:
        return
    wounds = yield from shot(battle.active, to_hit(battle, shooter))
    battle.tell("shot", "toy:3-shoot", [shooter.id, target.id], wounds=wounds, aim=to_hit(battle, shooter))
    target.wounds -= wounds
    if target.wounds <= 0:
        del battle.models[target.id]
        battle.tell("killed", "toy:3-wound", [target.id])


def spoils(battle: ToyBattle) -> Script[None]:
    """toy:4-spoils  Gold, the watch and the guess."""
    mine, theirs = ([option(m.id) for m in battle.of(side)] for side in (battle.active, battle.other))
    if battle.gold:
        shares = yield Split(battle.active, "spoils.share", mine, battle.gold, exact=False, rule="toy:4-spoils")
        battle.tell("shared", "toy:4-spoils", [battle.active], shares=shares)
    watch = yield Order(battle.other, "spoils.watch", theirs, rule="toy:4-watch")
    guess = yield Number(battle.other, "spoils.guess", 1, 6, rule="toy:4-guess")
    battle.tell("guessed", "toy:4-guess", [battle.other], watch=list(watch), guess=guess)


STEPS = {"stances": stances, "move": moves, "shoot": shots, "spoils": spoils}


class Toy(Ruleset):
    """The game."""

    id, title, unit, unit_mm, version = "toy", "Toy", "cm", 10.0, "1"
    folder = HERE / "toy_rules"
    sequence_rule = "toy:1-sequence"
    texts = {
        "refuse.too-far": "that is {length} cm, the reach is 10", "refuse.moved": "it has moved",
        **{f"ask.{name}": name for name in ("move.who", "move.where", "shoot.target", "spoils.share", "shoot.hit")},
        **{f"event.{name}": name for name in ("fled", "killed", "moved", "phase", "shot", "stayed")},
    }  # fmt: skip
    house_rules = {"rounds": HouseRule("rounds", 1, (1, 2), "toy:5-end", "how many rounds are played")}
    phases = PHASES

    def create(self, setup: dict[str, Any], house: dict[str, Any]) -> ToyBattle:
        battle = ToyBattle(house)
        given = setup.get("given", setup)
        for name, card in given.get("models", {}).items():
            if "ability" in card:
                raise BadInput(f"{name}: the ability {card['ability']} is not known (toy:1-sequence)")
            x, y = card["at"]
            at = (x * 10.0, y * 10.0)
            wounds, aim = card.get("wounds", 2), card.get("aim", 0)
            battle.models[name] = Model(name, card["side"], at, wounds, aim, card.get("moved", False))
        battle.phase, battle.last = given.get("phase", "stances"), house["rounds"]
        battle.gold, battle.stances = given.get("gold", 3), dict(given.get("stances", {}))
        return battle

    def script(self, battle: Battle) -> Script[None]:
        assert isinstance(battle, ToyBattle)
        while True:
            yield from STEPS[battle.phase](battle)
            if battle.phase == PHASES[-1]:
                battle.cite("toy:1-sequence")
                if battle.round == battle.last:
                    break
                battle.round += 1
                for model in battle.models.values():
                    model.moved = False
            battle.phase = PHASES[(PHASES.index(battle.phase) + 1) % len(PHASES)]
        battle.phase = "over"
        battle.tell("end", "toy:5-end")

    def view(self, battle: Battle, seat: str | None) -> dict[str, Any]:
        assert isinstance(battle, ToyBattle)
        models = {m.id: self.state(battle, m.id) for m in battle.models.values()}
        return {"models": models, "phase": battle.phase, "round": battle.round}

    def result(self, battle: Battle) -> dict[str, Any] | None:
        assert isinstance(battle, ToyBattle)
        if battle.phase != "over":
            return None
        score = {side: len(battle.of(side)) for side in battle.seats}
        winner = None if score["red"] == score["blue"] else max(score, key=lambda side: score[side])
        return {"winner": winner, "why": "models", "rule": "toy:5-end", "score": score}

    def names(self, battle: Battle) -> Mapping[str, str]:
        return {}

    def invariants(self, battle: Battle) -> list[str]:
        assert isinstance(battle, ToyBattle)
        return [f"{m.id} is off the table" for m in battle.models.values() if not 0 <= m.at[0] <= battle.table.width]

    def default_setup(self, scenario: str | None = None, armies: tuple[str, ...] = (), seed: int = 0) -> dict[str, Any]:
        sides = {"flint": ("red", [10, 10]), "chalk": ("blue", [30, 10])}
        return {
            "scenario": scenario or "plain", "armies": list(armies), "seed": seed,
            "models": {name: {"side": side, "at": at} for name, (side, at) in sides.items()},
        }  # fmt: skip

    def armies(self) -> Mapping[str, Path]:
        return {"pebbles": self.folder / "cards" / "pebbles.yaml"}

    def check_army(self, army: dict[str, Any]) -> list[Finding]:
        count = len(army.get("models", []))
        found = [] if 1 <= count <= 3 else [Finding("list.size", "toy:6-size", {"count": count, "most": 3})]
        return [*found, *([Finding("list.lucky", "toy:6-luck", warning=True)] if army.get("lucky") else [])]

    def state(self, battle: Battle, thing: str) -> dict[str, Any]:
        assert isinstance(battle, ToyBattle)
        if thing == "battle":
            return {"phase": battle.phase, "round": battle.round, "active": battle.active}
        if thing in battle.seats:
            return {"models": [m.id for m in battle.of(thing)], "stance": battle.stances.get(thing)}
        if thing not in battle.models:
            raise BadInput(f"nothing is called {thing}")
        m = battle.models[thing]
        return {"at": (m.at[0] / 10, m.at[1] / 10), "wounds": m.wounds, "aim": m.aim, "moved": m.moved}

    def measure(self, battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
        assert isinstance(battle, ToyBattle)
        if what == "to_hit":
            return to_hit(battle, battle.models[arguments["of"]])
        if what == "gap":
            return battle.gap(arguments["from"], arguments["to"]) / 10
        raise BadInput(f"toy cannot measure {what}; it measures to_hit, gap")

    def weigh(self, what: str, arguments: dict[str, Any]) -> Odds:
        if what != "shot":
            raise BadInput(f"toy has no odds of {what}; it has shot")
        weigher = Weigher()
        plus = Tally(arguments.get("aim", 0), "aim", "toy:3-hit")
        found = weigher.run(lambda: shot("red", plus))
        return Odds.of(what, found, touched=weigher.touched)


TOY = Toy()
