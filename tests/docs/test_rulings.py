"""The page of rulings says what the code says."""

from tests.docs.rulings import PAGE, page


def test_rulings_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.docs.rulings"
