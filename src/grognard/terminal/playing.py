"""`grognard play`: people at the keyboard, against each other or a computer player."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.text import Text

from grognard.check.answers import declined
from grognard.kernel.errors import BadInput, GrognardError, Refused
from grognard.kernel.match import saves
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Question, Roll
from grognard.kernel.words import texts
from grognard.players import Player
from grognard.terminal.answers import read_answer
from grognard.terminal.asking import Asker, proposals_of
from grognard.terminal.desk import OK, Desk, write_text
from grognard.terminal.helping import HELP, PLACE_HELP
from grognard.terminal.sentences import result_line, why
from grognard.terminal.table import Screen
from grognard.terminal.usage import system_sentence


class Leave(Exception):
    """The person gets up from the table."""


class Keyboard:
    """Lines from whoever types; at the end of a file the table is left."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.live = sys.stdin is not None and sys.stdin.isatty()

    def line(self) -> str:
        if self.live:
            try:
                return input("> ").strip()
            except EOFError:
                raise Leave from None
        typed = sys.stdin.readline() if sys.stdin is not None else ""
        if not typed:
            raise Leave
        self.desk.out.print(f"> {typed.strip()}", soft_wrap=True)
        return typed.strip()


class Sitting:
    """One match being played in the terminal. A seat whose player is None is a person's."""

    def __init__(
        self, desk: Desk, match: Match, players: Mapping[str, Player | None], save: Path | None = None
    ) -> None:  # fmt: skip
        self.desk = desk
        self.match = match
        self.players = players
        self.save = save
        self.keyboard = Keyboard(desk)
        self.screen = Screen(desk, match)
        self.asker = Asker(desk, match.ruleset)
        self.people = [seat for seat, player in players.items() if player is None]
        self._told = 0
        self._shown = ""
        self._last = ""
        self.commands: dict[str, Callable[[str], None]] = {
            "help": self.help, "why": self.why, "rule": self.rule, "undo": self.undo, "save": self.keep,
            "quit": self.quit, "log": self.log, "map": self.show_map, "aide": self.help, "pourquoi": self.why,
            "règle": self.rule, "annuler": self.undo, "sauver": self.keep, "quitter": self.quit,
            "journal": self.log, "carte": self.show_map, "?": self.help,
        }  # fmt: skip

    # ------------------------------------------------------------------ the loop

    def run(self) -> int:
        """Until the match is over or the person leaves."""
        self.desk.line("Type help at any time; quit leaves the table.")
        try:
            while pending := self.match.pending:  # whoever sits at the keyboard goes on
                self._turn(next((q for q in pending if q.seat == self._last), pending[0]))
        except Leave:
            self._left()
            return OK
        self._tell(self.people[0] if self.people else None)
        self.desk.out.print(self.screen.map(self.match, None))
        names = self.match.ruleset.named(self.match.battle, self.desk.language)
        if self.match.result is not None:
            self.desk.out.print(result_line(self.match.ruleset, self.match.result, names, self.desk.language))
        self._keep_quietly()
        return OK

    def _turn(self, question: Question | Roll) -> None:
        player = self.players.get(question.seat)
        if player is not None and not isinstance(question, Roll):
            self.match.answer(player.choose(self.match, question), question.seat)
            return
        if not isinstance(question, Roll) and question.idle:
            self.match.answer(declined(question), question.seat)
            return
        seat = question.seat if player is None else None
        self._hand_over(seat)
        self._tell(seat or (self.people[0] if self.people else None))
        self._ask(question, seat)

    def _hand_over(self, seat: str | None) -> None:
        """Where several people share the keyboard, nobody looks at another's secrets."""
        if seat is None or len(self.people) < 2 or self._last in ("", seat) or not self.keyboard.live:
            self._last = seat or self._last
            return
        self._last = seat
        name = self.match.ruleset.named(self.match.battle, self.desk.language).get(seat, seat)
        self.desk.out.clear()
        self.desk.line("{name} sits at the keyboard: press Enter.", name=name)
        self.keyboard.line()
        self._shown = ""

    def _ask(self, question: Question | Roll, seat: str | None) -> None:
        """Show the question and read lines until one of them answers it."""
        scene = self.screen.scene(self.match, seat)
        proposals = proposals_of(question)
        self._show_map_if_new(seat, question)
        names = self.match.ruleset.named(self.match.battle, self.desk.language)
        self.desk.out.print(self.asker.show(question, names, scene, proposals))
        while True:
            typed = self.keyboard.line()
            if not typed:
                continue
            word, _, rest = typed.partition(" ")
            command = self.commands.get(word.casefold())
            try:
                if command is None:
                    answer = read_answer(self.match.ruleset, question, typed, scene, proposals)
                    self.match.answer(answer, question.seat)
                    self._keep_quietly()
                    return
                command(rest.strip())
            except Refused as refused:
                self._refuse(refused)
            except GrognardError as error:
                self._say_wrong(texts.told(error, self.desk.language))
            if self.match.pending[:1] != (question,):
                return

    # ------------------------------------------------------------------ what is shown

    def _tell(self, seat: str | None) -> None:
        """What happened since we last looked, as far as the seat may know."""
        for event in self.match.events_for(seat, self._told):
            self.desk.out.print(self.screen.sentence(self.match, event), soft_wrap=True)
        self._told = len(self.match.events)

    def _show_map_if_new(self, seat: str | None, question: Question | Roll) -> None:
        viewer = seat or (self.people[0] if self.people else None)
        picture = self.screen.map(self.match, viewer, question.about)
        with self.desk.out.capture() as held:
            self.desk.out.print(picture)
        if held.get() != self._shown:
            self._shown = held.get()
            self.desk.out.print(picture)

    def _refuse(self, refused: Refused) -> None:
        refusal, names = refused.refusal, self.match.ruleset.named(self.match.battle, self.desk.language)
        said = self.match.ruleset.say(refusal.code, refusal.data, self.desk.language, names)
        self._say_wrong(f"{said} ({refusal.rule})")

    def _say_wrong(self, text: str) -> None:
        self.desk.out.print(Text(f"✗ {text}", "red"), soft_wrap=True)

    # ------------------------------------------------------------------ commands

    def help(self, rest: str) -> None:
        self.desk.out.print(self.desk.say(PLACE_HELP if rest.startswith("plac") else HELP), soft_wrap=True)

    def why(self, rest: str) -> None:
        """The rule that asks, and the account of the last numbers."""
        question = self.match.pending[0]
        self.rule(question.rule)
        seat = question.seat if question.seat in self.people else (self.people or [None])[0]  # type: ignore[list-item]
        names = self.match.ruleset.named(self.match.battle, self.desk.language)
        for event in reversed(self.match.events_for(seat)[-40:]):
            lines = why(event, names, self.desk.language)
            if lines:
                self.desk.out.print(self.screen.sentence(self.match, event), soft_wrap=True)
                for line in lines:
                    self.desk.out.print(line, soft_wrap=True)
                return

    def rule(self, rest: str) -> None:
        book = self.match.ruleset.rulebook
        game = self.match.ruleset.id
        known = rest if rest in book.by_id or ":" in rest else f"{game}:{rest}"
        found = book.rule(known)
        self.desk.out.print(Text.assemble((f"{found.id}  ", "cyan"), (found.title(self.desk.language), "bold")))
        self.desk.out.print(f"  {found.told(self.desk.language)}", soft_wrap=True)

    def undo(self, rest: str) -> None:
        """Take back one's own last decision, and whatever came after it."""
        agreed = rest.casefold() in ("agreed", "d'accord", "accord")
        mine = self._mine()
        if mine is None:
            raise BadInput("there is nothing of yours to take back")
        since = self.match.answers[mine:]
        if not agreed and any(answer.roll or answer.reveals for answer in since):
            self._say_wrong(self.desk.say(texts.KERNEL_TEXTS["refuse.undo-dice"]))
            self.desk.line("If everybody at the table agrees, type undo agreed.")
            return
        while len(self.match.answers) > mine:
            self.match.undo(agreed=True)
        self._told = min(self._told, len(self.match.events))
        self._shown = ""
        self.desk.line("Taken back.")

    def _mine(self) -> int | None:
        """Where the last decision of a person stands among the answers."""
        given = enumerate(self.match.answers)
        return max((place for place, a in given if not a.roll and a.seat in self.people), default=None)

    def keep(self, rest: str) -> None:
        path = Path(rest) if rest else self.save
        if path is None:
            raise BadInput("say where to: save FILE")
        if not path.parent.is_dir():
            raise BadInput("there is no folder {name}", name=str(path.parent))
        try:
            write_text(path, saves.finished(self.match))
        except OSError as error:
            raise BadInput(system_sentence(error, self.desk.say)) from None
        self.save = path
        self.desk.line("Saved in {name}.", name=path)

    def _keep_quietly(self) -> bool:
        """After every answer; a disk that is full must not end the match. Whether it is kept."""
        if self.save is None:
            return False
        try:
            write_text(self.save, saves.finished(self.match))
        except OSError as error:
            self._say_wrong(system_sentence(error, self.desk.say))
            return False
        return True

    def quit(self, rest: str) -> None:
        raise Leave

    def _left(self) -> None:
        if self._keep_quietly():
            self.desk.line("The match is kept in {name}; play it on with --save {name}.", name=self.save)
        else:
            self.desk.line("The match is not over and is not kept.")

    def log(self, rest: str) -> None:
        count = int(rest) if rest.isdecimal() and len(rest) < 6 else 20
        seat: Any = self.people[0] if len(self.people) == 1 else None
        if len(self.people) > 1:
            seat = self.match.pending[0].seat
        events = self.match.events_for(seat)
        for number, event in list(enumerate(events, 1))[-count:]:
            line = Text.assemble((f"{number:>4} ", "dim"), self.screen.sentence(self.match, event))
            self.desk.out.print(line, soft_wrap=True)

    def show_map(self, rest: str) -> None:
        question = self.match.pending[0]
        seat = question.seat if question.seat in self.people else None
        self.desk.out.print(self.screen.map(self.match, seat, question.about))
