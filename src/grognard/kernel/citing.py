"""A rule cites by being entered: the ids its docstring begins with are its own.

`@cites` stands before procedures and numbers that are entered only where their rules apply; where a branch decides
which rule has its say, the branch cites it (`Battle.cite`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from grognard.kernel.battle import Battle

P = ParamSpec("P")
R = TypeVar("R")
B = TypeVar("B", bound=Battle)
_HEAD = re.compile(r"\w+:[^\s,]+(?:,\s+\w+:[^\s,]+)*(?=  |\n)")


def head(doc: str) -> tuple[str, ...]:
    """The rule ids a docstring begins with.

    >>> head("t9a:11.E.b, t9a:11.E.c  The chargers move.")
    ('t9a:11.E.b', 't9a:11.E.c')
    """
    found = _HEAD.match(doc + "\n")
    return () if found is None else tuple(re.split(r",\s+", found[0]))


def cites(procedure: Callable[Concatenate[B, P], R]) -> Callable[Concatenate[B, P], R]:
    """Entering the procedure cites the rules its docstring begins with."""
    rules = dict.fromkeys(head(procedure.__doc__ or ""))
    if not rules:
        raise TypeError(f"the docstring of {procedure.__name__} begins with no rule")

    @wraps(procedure)
    def entered(battle: B, /, *args: P.args, **kwargs: P.kwargs) -> R:
        battle.cited.update(rules)
        return procedure(battle, *args, **kwargs)

    return entered
