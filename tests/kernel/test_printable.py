"""Names that ring bells or turn the line around."""

from __future__ import annotations

from grognard.kernel.data.printable import all_printable, printable


def test_what_cannot_be_read_is_removed() -> None:
    assert printable("a\x00b\x1b[31mc\x7f\x85\u202ed\u2066e\u2069\u200f\ufeff") == "ab[31mcde"
    kept = "Élan d’hiver\n\tnaïve — 日本 👩\u200d🚀"
    assert printable(kept) == kept


def test_everywhere_in_plain_data() -> None:
    said = {"na\u202eme": ["A\x07", {"b": "\u2067C", "n": 1, "x": None}]}
    assert all_printable(said) == {"name": ["A", {"b": "C", "n": 1, "x": None}]}
