"""Procedures asked for in one room and carried out in another."""

import pytest

from grognard.kernel.elsewhere import elsewhere


def test_whoever_asks_gets_what_is_carried_out_elsewhere() -> None:
    @elsewhere
    def doubled(number: int, *, more: int = 0) -> int:
        """Twice a number."""
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        doubled(2)

    @doubled.here
    def twice(number: int, *, more: int = 0) -> int:
        return 2 * number + more

    assert doubled(2, more=1) == twice(2, more=1) == 5
    assert doubled.__doc__ == "Twice a number."


def test_only_one_room_may_carry_it_out() -> None:
    @elsewhere
    def asked() -> int:
        raise NotImplementedError

    asked.here(lambda: 1)
    with pytest.raises(TypeError, match="asked is carried out"):
        asked.here(lambda: 2)
    assert asked() == 1
