"""The registry of special rules and what each may answer."""

from __future__ import annotations

from grognard.kernel.data.abilities import Ability, Registry


class Special(Ability):
    """One special rule of a creature or unit."""


ABILITIES: Registry[Special] = Registry("wfb3", "special rule", "wfb3:10.1-test")
