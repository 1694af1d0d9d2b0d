"""What the table offers beside the questions; nothing is measured before it matters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grognard.kernel.errors import Refusal
from grognard.kernel.tools import Tools


class Wfb3Tools(Tools):
    """wfb3:5.4.1-no-premeasure  Distances are judged by eye, unless the players agreed to measure."""

    def no_measuring(self, house: Mapping[str, Any]) -> Refusal | None:
        return None if house.get("premeasure") else Refusal("refuse.no-measuring", "wfb3:5.4.1-no-premeasure", {})
