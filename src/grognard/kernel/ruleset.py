"""What a game gives the rest of the house: the one interface every ruleset implements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic

import msgspec
from typing_extensions import TypeVar

from grognard.kernel.battle import Battle
from grognard.kernel.data.bounds import Bounds
from grognard.kernel.data.rulebook import Rulebook
from grognard.kernel.errors import BadInput
from grognard.kernel.events import Event
from grognard.kernel.match import shelf
from grognard.kernel.odds.odds import Odds, OddsQuestion
from grognard.kernel.questions import Option, Question, Roll, Script
from grognard.kernel.screen.scene import Player, Scene
from grognard.kernel.screen.sketch import from_view
from grognard.kernel.screen.tools import Tools
from grognard.kernel.words import texts

#: The battle of a game; whoever knows no particular game says only Ruleset.
B = TypeVar("B", bound=Battle, default=Any)
#: What stands in a save for a seat where something is left out.
SECRET = "(secret)"


class HouseRule(msgspec.Struct, frozen=True):
    """A switch the book or a ruling leaves to the players."""

    name: str
    default: Any
    choices: tuple[Any, ...]
    rule: str
    about: str
    least: float | None = None  # of a switch that is a number without choices
    most: float | None = None
    whole: bool = False  # a number without fractions

    def check(self, value: Any) -> None:
        """A value that cannot be played is told."""
        if self.choices:
            if value not in self.choices:
                raise BadInput(
                    "house rule {name} is one of {known}, not {value} ({rule})",
                    name=self.name, known=", ".join(map(str, self.choices)), value=value, rule=self.rule,
                )  # fmt: skip
        elif self.least is not None and self.most is not None:
            if isinstance(value, bool) or not isinstance(value, int if self.whole else int | float):
                raise BadInput(
                    "house rule {name} is a number, not {value} ({rule})",
                    name=self.name, value=repr(value), rule=self.rule,
                )  # fmt: skip
            if not self.least <= value <= self.most:
                raise BadInput(
                    "house rule {name} lies between {least} and {most}, not {value} ({rule})",
                    name=self.name, least=f"{self.least:g}", most=f"{self.most:g}", value=value, rule=self.rule,
                )  # fmt: skip


def house_rules(*rules: HouseRule) -> dict[str, HouseRule]:
    """House rules by name."""
    return {rule.name: rule for rule in rules}


def agreed(game: str, rules: Mapping[str, HouseRule], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every switch of a game with its value; a wrong name or value is told."""
    for name, value in given.items():
        rule = rules.get(name)
        if rule is None:
            known = ", ".join(rules)
            raise BadInput("{game} has no house rule {name}; it has {known}", game=game, name=name, known=known)
        rule.check(value)
    return {name: given.get(name, rule.default) for name, rule in rules.items()}


class Finding(msgspec.Struct, frozen=True):
    """Something wrong (or worth a warning) in an army list."""

    code: str
    rule: str
    data: dict[str, Any] = {}
    warning: bool = False
    also: tuple[str, ...] = ()  # other rules that say the same


class RosterLine(msgspec.Struct, frozen=True):
    """One line of an army list as people read it: the unit, what it is made of, how many, what it costs."""

    name: str
    what: str
    count: int
    points: float
    notes: tuple[str, ...] = ()
    joins: str = ""  # the line it belongs to in play


class Ruleset(ABC, Generic[B]):
    """One rulebook on the kernel. Subclasses are stateless; a battle holds all state.

    A game gives its own functions as they are: `view = staticmethod(screen.view)`.
    """

    id: str
    title: str
    unit: str  # "cm" or "inch": how people of this game speak of lengths
    unit_mm: float
    version: str
    complete: bool = False  # declared complete: coverage below 100 % fails the tests
    folder: Path
    sequence_rule: str  # the rule that says who acts when, cited where the match itself refuses
    texts: Mapping[str, str]
    house_rules: Mapping[str, HouseRule] = {}
    scenarios: Mapping[str, Any] = {}
    phases: tuple[str, ...] = ()
    bounds: Bounds = Bounds()  # how much of everything it takes
    seats: tuple[int, int] = (2, 2)  # the least and the most sides at the table
    referee: str = ""  # the seat of a game master who sees all, where the game has one
    #: what the odds desk can be asked, by name; `weigh` answers
    odds_questions: Mapping[str, OddsQuestion] = {}
    #: keys of a written placement whose numbers are not lengths
    not_lengths: frozenset[str] = frozenset({"facing", "angle", "bearing", "turn", "level", "ranks", "files"})

    # ------------------------------------------------------------------ playing

    def game_master(self, house: Mapping[str, Any]) -> str:
        """The game master's seat under these house rules; empty where nobody sits there, for whoever does sees all."""
        return self.referee

    def create(self, setup: dict[str, Any], house: dict[str, Any]) -> B:
        """The battle at its start: from {"scenario", "armies", …} or from a case's {"given": …}."""
        self.bounds.check(setup, "setup")
        if "given" not in setup:
            return self.from_setup(setup, house)
        extra = [key for key in setup if key != "given"]
        if extra:
            raise BadInput("beside given there is nothing else, not {known}", known=", ".join(extra))
        return self.from_given(setup["given"], house)

    def from_setup(self, setup: dict[str, Any], house: dict[str, Any]) -> B:
        """A game from its beginning."""
        raise NotImplementedError

    def from_given(self, given: Any, /, house: dict[str, Any]) -> B:
        """A battle in the middle of things, as a case describes it."""
        raise NotImplementedError

    @abstractmethod
    def script(self, battle: B) -> Script[None]:
        """The whole game from the battle's present moment; asks the same question again at checkpoints."""

    @abstractmethod
    def view(self, battle: B, seat: str | None) -> dict[str, Any]:
        """The only way state reaches a player.

        Plain data; the screens draw these keys, in millimetres: "table" {"width", "height"}, "terrain"
        [{"id", "kind", "sight", "points"}], "models" {id: {"side", "unit", "pose": {"x", "y", "facing"} or None,
        …}} as far as the seat sees them, "markers" [{"id", "x", "y"}]; "turn" and "phase" head the screen.
        """

    def scene(self, battle: B, seat: str | None) -> Scene:
        """What screens draw for a seat (kernel/scene.py); unless a game says more, whatever its view shows."""
        return from_view(
            self.view(battle, seat), self.names(battle), battle.seats, unit=self.unit, unit_mm=self.unit_mm,
            phases=self.phases, table=(battle.table.width, battle.table.height),
        )  # fmt: skip

    def reckoning(self, battle: B) -> tuple[Player, ...]:
        """The sides with the numbers whose changes are kept account of; asked with every event, so it must be cheap.

        A number that can say why by itself (`draw.count` of a Tally) is not wanted here.
        """
        return ()

    @abstractmethod
    def result(self, battle: B) -> dict[str, Any] | None:
        """{"winner": seat or None, "why": code, "rule": id, "score": {...}} once the game is decided."""

    @abstractmethod
    def names(self, battle: B) -> Mapping[str, str]:
        """The display name of every model, unit and seat id."""

    @abstractmethod
    def invariants(self, battle: B) -> list[str]:
        """Whatever must hold after every event and does not, in words."""

    @abstractmethod
    def default_setup(self, scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
        """A setup ready to play: the scenario, armies (starters by name, or army lists), terrain from the seed."""

    def unknown(self, battle: B, seat: str | None) -> Container[str]:
        """The ids of whatever a seat does not know to be there; None is the referee, who knows all."""
        return ()

    def setup_for(self, setup: dict[str, Any], seats: Sequence[str], seat: str) -> dict[str, Any]:
        """The setup of a match as far as a seat may know it while it is played, SECRET for what it may not.

        It must not depend on what it hides. Of a situation given in a game with secrets nothing is told.
        """
        if "given" in setup and self.secretive:
            return {"given": SECRET}
        return setup

    def doubts(self, battle: B, seat: str) -> Iterator[B]:
        """The same battle as it may be too for all that a seat knows, where that changes numbers it may ask for."""
        return iter(())

    def imagine(self, battle: B, seat: str) -> B:
        """The battle with what the seat cannot know replaced by a guess; games with secrets override it."""
        return battle

    def guesses(self, battle: B, seat: str, now: B) -> Iterator[B]:
        """Guesses at how a battle was a while ago, best first; `now` is how it is, with what has come out since.

        The first that fits what has happened since, as the seat saw it, is taken.
        """
        yield self.imagine(battle.copy(), seat)

    @property
    def secretive(self) -> bool:
        """Whether anybody may ever hide anything in this game."""
        return type(self).imagine is not Ruleset.imagine

    def called(self, battle: B, name: str) -> str:
        """What questions call something that a player may call by this name; the same unless a game knows better."""
        return name

    def also_about(self, battle: B, event: Event) -> tuple[str, ...]:
        """Whom an event is about besides those it names, in the words of players."""
        return ()

    def secrets(self, battle: B) -> bool:
        """Whether anybody may be hiding something just now, so that a guess is needed."""
        return self.secretive

    # ------------------------------------------------------------------ army lists

    @abstractmethod
    def armies(self) -> Mapping[str, Path]:
        """Starter armies by name."""

    @abstractmethod
    def check_army(self, army: dict[str, Any], /) -> list[Finding]:
        """What the book's list building says against an army list; empty is legal."""

    def army_rules(self, army: dict[str, Any], /) -> tuple[str, ...]:
        """The rules of list building that have a say in an army list, also where it keeps to them."""
        return ()

    def speaks_through(self, rule: str) -> tuple[str, ...]:
        """How the ids begin of those particular rules in each of which a general one has its say."""
        return ()

    def roster(self, army: dict[str, Any], /) -> list[RosterLine]:
        """The lines of an army list with their points; games without points leave it empty."""
        return []

    # ------------------------------------------------------------------ cases, odds, players

    @abstractmethod
    def state(self, battle: B, thing: str) -> dict[str, Any]:
        """Everything a case may expect of a model, unit, seat or "battle", by name."""

    @abstractmethod
    def measure(self, battle: B, what: str, arguments: dict[str, Any]) -> Any:
        """A number the rules compute (a Tally where it has a why), for cases and screens."""

    @abstractmethod
    def weigh(self, what: str, arguments: dict[str, Any]) -> Odds:
        """The exact answer to one of `odds_questions`, by the same steps the battle rolls.

        Arguments left out take the question's defaults.
        """

    def score(self, battle: B, question: Question, answer: Any) -> float | None:
        """How good an answer looks at a glance to a sound beginner; None when this game has no opinion."""
        return None

    def value(self, battle: B, seat: str) -> float:
        """How well the seat stands, about -1 to 1."""
        return 0.0

    # ------------------------------------------------------------------ shared

    def named(self, battle: B, language: str) -> Mapping[str, str]:
        """`names` for a reader of a language."""
        names = self.names(battle)
        if language == "en":
            return names
        return {key: texts.name_in(name, language, self.id) for key, name in names.items()}

    def named_for(self, battle: B, seat: str | None, language: str) -> Mapping[str, str]:
        """`named` of what a seat knows of."""
        unknown, names = self.unknown(battle, seat), self.named(battle, language)
        return {key: name for key, name in names.items() if key not in unknown} if unknown else names

    @property
    def tools(self) -> Tools:
        """What the table offers beside the questions."""
        return Tools()

    @property
    def rulebook(self) -> Rulebook:
        return _rulebook(self.folder)

    @property
    def cards_hash(self) -> str:
        return shelf.own_hash(self.folder / "cards")

    def house_rules_from(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every switch with its value; a wrong name or value is told."""
        return agreed(self.id, self.house_rules, given)

    def say(
        self, code: str, data: Mapping[str, Any], language: str = "en", names: Mapping[str, str] | None = None
    ) -> str:
        """The sentence for a text code of this game or the kernel."""
        return texts.say(self.texts, *self.precise(code, data), language, names, self.id)

    def precise(self, code: str, data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """The text and the facts to say a code with, where one of its facts decides."""
        return code, data

    def tell(self, event: Event, names: Mapping[str, str], language: str = "en") -> str:
        """An event as a sentence; a roll is called by its text `roll.NAME` where the game has one."""
        data = _facts(event.data, event.about)
        if event.kind == "roll" and f"roll.{data['name']}" in self.texts:
            data["name"] = self.say(f"roll.{data['name']}", data, language, names)
        return self.say(f"event.{event.kind}", data, language, names)

    def prompt(self, question: Question | Roll, names: Mapping[str, str], language: str = "en") -> str:
        """A question as a sentence."""
        data = question.data if isinstance(question, Question) else {}
        facts = _facts({**data, "seat": question.seat}, question.about)
        return self.say(f"ask.{question.name}", facts, language, names)

    def label(self, option: Option, names: Mapping[str, str], language: str = "en") -> str:
        """An option as a phrase: its text with its facts, else the name of what its key stands for."""
        if not option.text:
            return names.get(option.key) or texts.name_in(option.key, language, self.id)
        return self.say(option.text, _facts(option.data, option.about), language, names)


def _facts(data: Mapping[str, Any], about: Sequence[str]) -> dict[str, Any]:
    """What a sentence may mention: the data, and what it is about as about0, about1 and so on."""
    return {f"about{place}": thing for place, thing in enumerate(about)} | dict(data)


_books: dict[Path, Rulebook] = {}


def _rulebook(folder: Path) -> Rulebook:
    if folder not in _books:
        _books[folder] = Rulebook.read(folder / "rulebook.csv")
    return _books[folder]
