"""Catalogues are read as Babel reads them."""

from __future__ import annotations

import doctest
import io
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from hypothesis import given
from hypothesis import strategies as st

from grognard.kernel.words import catalogues
from grognard.kernel.words.texts import LOCALES

OURS = sorted(LOCALES.rglob("*.po"))
# Babel cuts lines of a comment or a message at what str.splitlines does; gettext knows only newlines
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), max_size=120)


def by_babel(raw: bytes) -> dict[str, str]:
    read = read_po(io.BytesIO(raw), locale="fr")
    return {str(m.id): str(m.string) for m in read if m.id and m.string}


def test_the_example() -> None:
    assert doctest.testmod(catalogues) == (0, 1)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
def test_our_catalogues_are_read_as_babel_reads_them(path: Path) -> None:
    ours = catalogues.read_po(path.read_text(encoding="utf-8"))
    assert len(ours) > 50 and list(ours.items()) == list(by_babel(path.read_bytes()).items())


@given(st.dictionaries(TEXT.filter(bool), TEXT, max_size=8), st.integers(20, 100))
def test_whatever_babel_writes_is_read_back(said: dict[str, str], width: int) -> None:
    catalogue = Catalog(locale="fr")
    for text, french in said.items():
        catalogue.add(text, french)
    file = io.BytesIO()
    write_po(file, catalogue, width=width)
    read = catalogues.read_po(file.getvalue().decode())
    assert read == {text: french for text, french in said.items() if french}


@pytest.mark.parametrize(
    "wrong", ['msgid_plural "a"', "msgid a", '"lost"', 'msgid "open', 'msgctxt "x"', "hello", 'msgstr "x"']
)
def test_what_is_no_catalogue_of_ours_is_told(wrong: str) -> None:
    with pytest.raises(ValueError, match="line 1 of a catalogue"):
        catalogues.read_po(wrong)
    assert catalogues.read_po('# a note\nmsgid "a"\nmsgstr "b"') == {"a": "b"}
