"""Captains: a toy game that uses every kind of question, for the tests of the kernel and the players.

Two or three captains bid cards in secret, march, share supplies and strike each other; see
toybook/rulebook.csv. The game keeps a hidden pile and a hidden trap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import dist
from pathlib import Path
from typing import Any

import yaml

from grognard.kernel.battle import Battle
from grognard.kernel.errors import BadInput, Refusal, Refused
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.odds.odds import Odds
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Number, Order, Pick, Place, Question, Roll, Script, Split, Together, option
from grognard.kernel.ruleset import Finding, HouseRule, Ruleset
from grognard.kernel.words.tally import Tally
from tests.kernel.toytexts import FRENCH, TEXTS

REACH = 40.0
CARDS = (1, 2, 3, 4, 5)
SIDES = ("left", "right")
FOLDER = Path(__file__).parent / "toybook"
WAYS = {"hold": (0.0, 0.0), "advance": (30.0, 0.0), "retreat": (-30.0, 0.0), "left": (0.0, 30.0), "right": (0.0, -30.0)}


class Captain:
    """One captain on the table."""

    __slots__ = ("gate", "hand", "pile", "points", "seat", "strength", "wall", "x", "y")

    def __init__(self, seat: str, x: float, y: float, strength: int) -> None:
        self.seat = seat
        self.x, self.y = x, y
        self.strength = strength
        self.wall = self.gate = self.points = 0
        self.hand: tuple[int, ...] = CARDS
        self.pile: tuple[int, ...] = ()

    def copy(self) -> Captain:
        twin = Captain(self.seat, self.x, self.y, self.strength)
        twin.wall, twin.gate, twin.points = self.wall, self.gate, self.points
        twin.hand, twin.pile = self.hand, self.pile
        return twin


class ToyBattle(Battle):
    """Captains by seat, the round, the phase and who is still to act in it."""

    __slots__ = ("captains", "phase", "queue", "round", "rounds", "trap")

    def __init__(self, captains: dict[str, Captain], rounds: int, house: dict[str, Any]) -> None:
        super().__init__(tuple(captains), Table(300.0, 100.0), house)
        self.captains = captains
        self.rounds = rounds
        self.round = 1
        self.phase = "start"
        self.queue: tuple[str, ...] = ()
        self.trap: str | None = None

    def copy(self) -> ToyBattle:
        twin = ToyBattle({seat: captain.copy() for seat, captain in self.captains.items()}, self.rounds, self.house)
        twin.round, twin.phase, twin.queue, twin.trap = self.round, self.phase, self.queue, self.trap
        return twin

    @property
    def leader(self) -> str:
        return self.seats[(self.round - 1) % len(self.seats)]


class March:
    """Judges a march: a path from where the captain stands, on the table, no longer than the reach."""

    def __init__(self, battle: ToyBattle, captain: Captain) -> None:
        self.table, self.captain = battle.table, captain
        self.reach = REACH + (20.0 if battle.house["bold"] else 0.0)

    def decode(self, wire: Any) -> tuple[float, float]:
        path = self._path(wire)
        if any(not (0 <= x <= self.table.width and 0 <= y <= self.table.height) for x, y in path):
            raise Refused(Refusal("refuse.off-table", "toy:4.2"))
        length = sum(dist(a, b) for a, b in zip([(self.captain.x, self.captain.y), *path], path, strict=False))
        if length > self.reach + 1e-6:
            raise Refused(Refusal("refuse.too-far", "toy:4.1", {"reach": self.reach}))
        return path[-1]

    def _path(self, wire: Any) -> list[tuple[float, float]]:
        points = wire.get("path") if isinstance(wire, dict) else None
        if not isinstance(points, list) or not points:
            raise Refused(Refusal("refuse.bad-placement", "toy:4.1", {"problem": "no path"}))
        path = []
        for point in points:
            if not (isinstance(point, list) and len(point) == 2 and all(type(c) in (int, float) for c in point)):
                raise Refused(Refusal("refuse.bad-placement", "toy:4.1", {"problem": "not a point"}))
            if not all(abs(c) < 1e6 for c in point):
                raise Refused(Refusal("refuse.off-table", "toy:4.2"))
            path.append((round(float(point[0]), 3), round(float(point[1]), 3)))
        return path

    def encode(self, wire: Any) -> Any:
        return {"path": [list(point) for point in self._path(wire)]}

    def proposals(self) -> Sequence[str]:
        return tuple(WAYS)

    def propose(self, name: str) -> Any:
        dx, dy = WAYS[name]
        wire = {"path": [[self.captain.x + dx, self.captain.y + dy]]}
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire


# ---------------------------------------------------------------------- the procedures


def game(battle: ToyBattle) -> Script[None]:
    """toy:1  One phase after another; a phase says which comes next."""
    while battle.phase != "over":
        yield from PHASES[battle.phase](battle)


def start(battle: ToyBattle) -> Script[None]:
    """toy:1.1"""
    for seat in battle.seats:
        battle.tell("takes-place", "toy:1.1", (seat,), strength=battle.captains[seat].strength)
    battle.phase = "trap"
    yield from ()


def trap(battle: ToyBattle) -> Script[None]:
    """toy:3"""
    leader = battle.leader
    sides = [option(side, text=f"side.{side}") for side in SIDES]
    battle.trap = yield Pick(leader, "trap.lay", sides, rule="toy:3", secret=True, checkpoint=True)
    battle.tell("trap-laid", "toy:3", (leader,), seats=(leader,), side=battle.trap)
    battle.tell("trap-hidden", "toy:3", (leader,))
    battle.phase = "bid"


def bid(battle: ToyBattle) -> Script[None]:
    """toy:2  All at once, face down."""
    captains = list(battle.captains.values())
    cards = yield Together(
        [Pick(c.seat, "bid.card", [option(str(card), card) for card in c.hand], rule="toy:2") for c in captains],
        checkpoint=True,
    )
    for captain, card in zip(captains, cards, strict=True):
        captain.hand = tuple(c for c in captain.hand if c != card)
        captain.pile = (*captain.pile, card)
        battle.tell("set-aside", "toy:2", (captain.seat,), seats=(captain.seat,), card=card)
    battle.tell("bids-made", "toy:2")
    battle.phase = "order"


def order(battle: ToyBattle) -> Script[None]:
    """toy:4"""
    seats = [option(seat, about=(seat,)) for seat in battle.seats]
    battle.queue = yield Order(battle.leader, "march.order", seats, rule="toy:4", checkpoint=True)
    battle.tell("order-given", "toy:4", (battle.leader,), order=list(battle.queue))
    battle.phase = "march"


def march(battle: ToyBattle) -> Script[None]:
    """toy:4.1, toy:4.3  Each marches or stays, then shares out supplies."""
    while battle.queue:
        captain = battle.captains[battle.queue[0]]
        judge = March(battle, captain)
        end = yield Place(
            captain.seat, "march.move", (captain.seat,), judge, rule="toy:4.1", optional=True, checkpoint=True
        )
        if end is not None:
            captain.x, captain.y = end
            battle.tell("marched", "toy:4.1", (captain.seat,), x=captain.x, y=captain.y)
        stores = [option("wall"), option("gate")]
        shares = yield Split(captain.seat, "march.supply", stores, 3, limits={"gate": (0, 2)}, rule="toy:4.3")
        captain.wall, captain.gate = shares["wall"], shares["gate"]
        battle.tell("supplied", "toy:4.3", (captain.seat,), **shares)
        battle.queue = battle.queue[1:]
    battle.queue = battle.seats
    battle.phase = "strike"


def strike(battle: ToyBattle) -> Script[None]:
    """toy:5  Each may strike one other captain who still stands."""
    while battle.queue:
        seat = battle.queue[0]
        others = [option(o, about=(o,)) for o in battle.seats if o != seat and battle.captains[o].strength]
        barred = {seat: Refusal("refuse.self", "toy:5")}
        target = yield Pick(seat, "strike.target", others, rule="toy:5", optional=True, barred=barred, checkpoint=True)
        if target is not None:
            yield from one_strike(battle, battle.captains[seat], battle.captains[target])
        battle.queue = battle.queue[1:]
    battle.phase = "reveal"


def one_strike(battle: ToyBattle, striker: Captain, target: Captain) -> Script[None]:
    """toy:5.1 to toy:5.4"""
    boosts = yield Pick(
        striker.seat, "strike.boosts", [option("aim"), option("brace")], least=0, most=2, rule="toy:5.1"
    )
    guess = yield Number(striker.seat, "strike.guess", 2, 12, rule="toy:5.2")
    plus = Tally(0, "strike", "toy:5").add(1 if "aim" in boosts else 0, "aim", "toy:5.1")
    need = Tally(7, "strike", "toy:5.3").add(min(target.wall, 2), "wall", "toy:4.3")
    faces = yield Roll(
        striker.seat, "strike.roll", 6, 2, rule="toy:5.3", about=(target.seat,), plus=plus, need=need, sense="high"
    )
    if sum(faces) == guess:
        striker.points += 1
        battle.tell("guessed", "toy:5.2", (striker.seat,), guess=guess)
    if sum(faces) + plus.value >= need.value:
        lost = min(target.strength, (yield from damage(striker.seat)))
        target.strength -= lost
        battle.tell("struck", "toy:5.4", (striker.seat, target.seat), lost=lost, need=need)
    elif "brace" not in boosts and striker.strength:
        striker.strength -= 1
        battle.tell("stumbled", "toy:5.1", (striker.seat,))


def damage(seat: str) -> Script[int]:
    """toy:5.4  One, or two on a high die."""
    (face,) = yield Roll(seat, "strike.damage", 6, rule="toy:5.4", cuts=(5,))
    return 2 if face >= 5 else 1


def reveal(battle: ToyBattle) -> Script[None]:
    """toy:2.1, toy:6"""
    for captain in battle.captains.values():
        battle.tell("revealed", "toy:2.1", (captain.seat,), cards=list(captain.pile))
    last = {seat: captain.pile[-1] for seat, captain in battle.captains.items()}
    best = [seat for seat, card in last.items() if card == max(last.values())]
    if len(best) == 1:
        battle.captains[best[0]].points += 2
        battle.tell("outbid", "toy:2.1", (best[0],))
    battle.tell("trap-shown", "toy:3", (battle.leader,), side=battle.trap)
    for captain in battle.captains.values():
        captain.pile = ()
    battle.trap = None
    battle.round += 1
    battle.phase = "over" if battle.round > battle.rounds else "trap"
    if battle.phase == "over":
        battle.tell("ended", "toy:6", winner=winner(battle) or "nobody")
    yield from ()


def winner(battle: ToyBattle) -> str | None:
    """toy:6"""
    points = {seat: captain.points + captain.strength / 100 for seat, captain in battle.captains.items()}
    best = [seat for seat, score in points.items() if score == max(points.values())]
    return best[0] if len(best) == 1 else None


PHASES = {
    "start": start, "trap": trap, "bid": bid, "order": order, "march": march, "strike": strike, "reveal": reveal,
}  # fmt: skip


# ---------------------------------------------------------------------- the ruleset


@cache
def _strength(card: Path) -> int:
    return int(yaml.safe_load(card.read_text(encoding="utf-8"))["strength"])


class Toy(Ruleset):
    id = "toy"
    title = "Captains"
    unit = "cm"
    unit_mm = 10.0
    version = "1"
    complete = True
    folder = FOLDER
    sequence_rule = "toy:1"
    texts = TEXTS
    french = FRENCH
    house_rules = {
        "bold": HouseRule("bold", False, (False, True), "toy:4.1", "captains march further"),
        "rounds": HouseRule("rounds", 2, (1, 2, 3), "toy:6", "how many rounds are played"),
    }
    scenarios = {"duel": ("red", "blue"), "trio": ("red", "blue", "green")}
    phases = tuple(PHASES)

    def create(self, setup: dict[str, Any], house: dict[str, Any]) -> Battle:
        seats = self.scenarios.get(str(setup.get("scenario")))
        armies = setup.get("armies")
        if seats is None or not isinstance(armies, dict) or set(armies) != set(seats):
            raise BadInput(f"a setup names one of {', '.join(self.scenarios)} and an army for each seat")
        captains = {}
        for place, seat in enumerate(seats):
            path = self.armies().get(str(armies[seat]))
            if path is None:
                raise BadInput(f"there is no army {armies[seat]}; there are {', '.join(self.armies())}")
            captains[seat] = Captain(seat, 50.0 + 100.0 * place, 50.0, _strength(path))
        return ToyBattle(captains, house["rounds"], house)

    def script(self, battle: Battle) -> Script[None]:
        assert isinstance(battle, ToyBattle)
        return game(battle)

    def view(self, battle: Battle, seat: str | None) -> dict[str, Any]:
        assert isinstance(battle, ToyBattle)
        shown = {}
        for name, captain in battle.captains.items():
            facts = self.state(battle, name)
            if seat not in (None, name):
                facts |= {"hand": len(captain.hand), "pile": len(captain.pile)}
            shown[name] = facts
        trap = battle.trap if seat in (None, battle.leader) or battle.trap is None else "hidden"
        return {"round": battle.round, "phase": battle.phase, "captains": shown, "trap": trap}

    def result(self, battle: Battle) -> dict[str, Any] | None:
        assert isinstance(battle, ToyBattle)
        if battle.phase != "over":
            return None
        score = {seat: captain.points for seat, captain in battle.captains.items()}
        return {"winner": winner(battle), "why": "result.points", "rule": "toy:6", "score": score}

    def names(self, battle: Battle) -> Mapping[str, str]:
        return {seat: seat.capitalize() for seat in battle.seats}

    def invariants(self, battle: Battle) -> list[str]:
        assert isinstance(battle, ToyBattle)
        wrong = []
        for captain in battle.captains.values():
            if captain.strength < 0:
                wrong.append(f"{captain.seat} has strength {captain.strength}")
            if not (0 <= captain.x <= battle.table.width and 0 <= captain.y <= battle.table.height):
                wrong.append(f"{captain.seat} is off the table")
            if len(captain.hand) != len(CARDS) - battle.round + (0 if captain.pile else 1):
                wrong.append(f"{captain.seat} holds {len(captain.hand)} cards in round {battle.round}")
        return wrong

    def default_setup(self, scenario: str | None = None, armies: tuple[str, ...] = (), seed: int = 0) -> dict[str, Any]:
        seats = self.scenarios.get(scenario or "duel")
        if seats is None:
            raise BadInput(f"there is no scenario {scenario}; there are {', '.join(self.scenarios)}")
        chosen = armies or tuple(self.armies())
        for army in chosen:
            if army not in self.armies():
                raise BadInput(f"there is no army {army}; there are {', '.join(self.armies())}")
        return {"scenario": scenario or "duel", "armies": {s: chosen[i % len(chosen)] for i, s in enumerate(seats)}}

    def imagine(self, battle: Battle, seat: str) -> Battle:
        assert isinstance(battle, ToyBattle)
        for captain in battle.captains.values():
            if captain.seat != seat:
                hidden, down = sorted(captain.hand + captain.pile), len(captain.pile)
                captain.pile, captain.hand = tuple(hidden[:down]), tuple(hidden[down:])
        if battle.trap is not None and battle.leader != seat:
            battle.trap = SIDES[0]
        return battle

    def armies(self) -> Mapping[str, Path]:
        return {path.stem: path for path in sorted((FOLDER / "cards").glob("*.yaml"))}

    def check_army(self, army: dict[str, Any]) -> list[Finding]:
        return [] if army.get("strength", 0) <= 6 else [Finding("army.too-strong", "toy:1.1")]

    def state(self, battle: Battle, thing: str) -> dict[str, Any]:
        assert isinstance(battle, ToyBattle)
        if thing == "battle":
            return {"round": battle.round, "phase": battle.phase}
        captain = battle.captains[thing]
        return {key: getattr(captain, key) for key in Captain.__slots__}

    def measure(self, battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
        raise BadInput(f"toy measures nothing, not {what}")

    def weigh(self, what: str, arguments: dict[str, Any]) -> Odds:
        return Odds.of(what, Weigher().run(lambda: damage("red")))

    def score(self, battle: Battle, question: Question, answer: Any) -> float | None:
        if question.name != "strike.boosts":
            return None
        return float(len(answer))

    def value(self, battle: Battle, seat: str) -> float:
        assert isinstance(battle, ToyBattle)
        mine = battle.captains[seat]
        others = [c for c in battle.captains.values() if c.seat != seat]
        points = mine.points - max(c.points for c in others)
        strength = mine.strength - max(c.strength for c in others)
        return max(-1.0, min(1.0, points / 10 + strength / 20))


TOY = Toy()
