"""Which of a game's functions ran, and how far: whether a script went past the point where something is asked, and
whether the code of a rule had its turn.
"""

from __future__ import annotations

import dis
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from inspect import unwrap
from types import CodeType, FrameType, FunctionType
from typing import Any

from grognard.kernel.citing import head
from grognard.kernel.ruleset import Ruleset

#: A function that has come to its end.
ENDED = sys.maxsize
#: How many calls away from where a question is asked its condition may stand.
STEPS = 2


class Trace:
    """The functions that ran while it was followed, each with the furthest instruction it came to."""

    def __init__(self) -> None:
        self.reached: dict[CodeType, int] = {}

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Nothing is collected meanwhile: a script of an earlier game that is thrown away ends, and would count as run
        in this one.
        """
        before, collecting = sys.getprofile(), gc.isenabled()
        gc.disable()
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before)
            if collecting:
                gc.enable()

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "return":
            code = frame.f_code
            came = frame.f_lasti if _gives_back(code, frame.f_lasti) else ENDED
            if came > self.reached.get(code, -1):
                self.reached[code] = came

    def went_past(self, ruleset: Ruleset, question: str) -> bool | None:
        """Whether code that asks the question, or that calls such code, ran beyond that point without asking; None
        where its name, put together from parts, stands nowhere in the code.
        """
        names = frozenset((question,))
        for step in range(STEPS):
            askers = _using(ruleset, names, called=step > 0)
            if any(code in self.reached and self.reached[code] > min(places) for code, places in askers.items()):
                return True
            names = frozenset(code.co_name for code in askers)
        return False if _using(ruleset, frozenset((question,)), called=False) else None

    def carried_out(self, rule: str) -> bool:
        """Whether a function whose description begins with a rule ran."""
        return any(rule == _own_rule(code) for code in list(self.reached))


@cache
def _gives_back(code: CodeType, place: int) -> bool:
    """Whether the instruction there hands a value to the caller and waits, rather than ending the function."""
    return dis.opname[code.co_code[place]].startswith("YIELD")


@cache
def _own_rule(code: CodeType) -> str:
    """The rule a function says it carries out, the first at the head of its description; those after it may not apply
    whenever it runs, and cite themselves where they do.
    """
    doc = code.co_consts[0] if code.co_consts else ""
    return next(iter(head(doc)), "") if isinstance(doc, str) else ""


@cache
def _using(ruleset: Ruleset, names: frozenset[str], *, called: bool) -> dict[CodeType, list[int]]:
    """The functions of the game in whose code one of the names stands, as what is called or as a text, and where."""
    package = type(ruleset).__module__.rpartition(".")[0]
    modules = [module for name, module in sorted(sys.modules.items()) if f"{name}.".startswith(f"{package}.")]
    found: dict[CodeType, list[int]] = {}
    for module in modules:
        own = [value for value in list(vars(module).values()) if getattr(value, "__module__", "") == module.__name__]
        for value in own:
            for function in (value, *vars(value).values()) if isinstance(value, type) else (value,):
                for code in _codes(function):
                    if places := _places(code, names, called):
                        found[code] = places
    return found


def _codes(function: Any) -> Iterator[CodeType]:
    """The code of a function, and of those made inside it."""
    bare = getattr(function, "__func__", function)
    todo = [unwrap(bare).__code__] if isinstance(bare, FunctionType) else []
    while todo:
        code = todo.pop()
        yield code
        todo += [const for const in code.co_consts if isinstance(const, CodeType)]


def _places(code: CodeType, names: frozenset[str], called: bool) -> list[int]:
    """Where in a function's code one of the names stands, as what is called or as a text."""
    texts = [const for const in code.co_consts if isinstance(const, str)]
    if names.isdisjoint(code.co_names if called else texts):
        return []
    how = ("LOAD_GLOBAL", "LOAD_METHOD", "LOAD_ATTR", "LOAD_DEREF") if called else ("LOAD_CONST",)
    return [
        step.offset
        for step in dis.get_instructions(code)
        if isinstance(step.argval, str) and step.argval in names and step.opname.startswith(how)
    ]
