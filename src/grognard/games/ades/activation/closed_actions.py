"""ades:4.2.2-actions  Why an action nobody would look for is not there: said only to whoever asks for it."""

from __future__ import annotations

from typing import Any

from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.questions import Pick

#: The rules by which an action is open to some and not to others.
RULES: dict[str, tuple[str, ...]] = {
    "walk": ("ades:4.2.4.1-walk", "ades:1.1.2.2-mou", "ades:9.2.2-bulky"),
    "run": ("ades:4.2.4.1-run", "ades:1.1.2.2-mou", "ades:9.2.2-bulky"),
    "dodge": ("ades:4.2.4.1-dodge", "ades:1.1.2.2-mou", "ades:9.2.2-bulky"),
    "charge": ("ades:4.2.4.2-charge",),
    "engage": ("ades:4.2.4.2-engage",),
    "disengage": ("ades:4.2.4.1-disengage",),
    "disengage-assault": ("ades:4.2.4.2-disengage-assault", "ades:4.2.4.2-infeasible"),
    "shoot": ("ades:4.2.5.5-shot", "ades:4.2.5.1", "ades:13.1-arme-de-tir"),
    "aim": ("ades:4.2.5.5-aimed", "ades:4.2.5.1", "ades:13.1-arme-de-tir"),
    "artillery": ("ades:4.2.5.5-artillery", "ades:4.2.5.1", "ades:13.1-arme-de-tir"),
    "harass": ("ades:13.2-harcelement",),
    "force-run": ("ades:5.3.2.5",),
    "force-charge": ("ades:5.3.2.5",),
    "force-engage": ("ades:5.3.2.5",),
    "cast": ("ades:4.2.6", "ades:8.1-um", "ades:8.4-casting", "ades:8.1-book"),
    "seize": ("ades:9.2.2-seize",),
    "seize-complex": ("ades:9.2.2-complex", "ades:9.2.2-seize"),
    "drop": ("ades:9.2.2-drop",),
    "trap": ("ades:13.2-poseur-de-pieges",),
    "breath": ("ades:13.1-souffle",),
    "steam": ("ades:13.1-vapeur",),
    "spend": ("ades:13.2-concentration", "ades:13.2-concentration-max", "ades:13.2-mutagene-use",
              "ades:13.1-vapeur-distribution"),
    "nexus": ("ades:12.4-catalyst",),
    "gift": ("ades:13.2-devotion", "ades:13.2-martyr"),
    "cry": ("ades:13.2-cri-de-ralliement",),
    "power": ("ades:4.2.7", "ades:1.1.2.10", "ades:1.1.2.11"),
    "fire-machine": ("ades:10.3-fire", "ades:10.2.2.2-crew"),
    "move-machine": ("ades:10.4", "ades:10.2.2.2-crew"),
    "disembark": ("ades:10.2.1.3-disembark",),
}  # fmt: skip


class ActPick(Pick):
    """What a fighter does; `because` are further rules that keep actions from those who act now."""

    __slots__ = ("because",)

    def __init__(self, *args: Any, because: tuple[str, ...] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        self.because = because

    def grounds(self, key: Any) -> tuple[str, ...]:
        return RULES.get(key, ())[:1]

    def _value(self, key: Any) -> Any:
        try:
            return super()._value(key)
        except Refused as refused:
            told = refused.refusal
            if not isinstance(key, str) or key in self.barred:
                raise
            also = (*told.also, *RULES.get(key, ()), *self.because)
            raise Refused(Refusal(told.code, told.rule, told.data, also)) from None
