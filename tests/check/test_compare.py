"""What a case expects, beside what came."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.check.compare import differs


@pytest.mark.parametrize("want", [3, {"at_least": 3}, {"less_than": 4}, {"count": 3}, {"one_of": [2, 3]}, {"not": 2}])
def test_a_number_for_a_list_is_how_many_it_holds(want: Any) -> None:
    assert differs(want, ["a", "b", "c"]) is None


@pytest.mark.parametrize("want", [2, 3.5, True, {"more_than": 3}, {"not": 3}])
def test_another_number_for_a_list(want: Any) -> None:
    assert differs(want, ["a", "b", "c"], "models") is not None
