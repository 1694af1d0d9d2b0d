"""The page's types are those of the server."""

from __future__ import annotations

import pytest

from tests.docs.typescript import FILES, FOLDER, written


@pytest.mark.parametrize("file", FILES)
def test_the_page_knows_what_it_is_told(file: str) -> None:
    """`make pages` writes them anew."""
    assert (FOLDER / f"{file}.ts").read_text(encoding="utf-8") == written(file)
