"""Reading the catalogues of translations: gettext's .po files, as far as ours go (no plurals, no contexts)."""

from __future__ import annotations

import re

_LINE = re.compile(r'(?:(msgid|msgstr) )?"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "t": "\t", "r": "\r"}


def read_po(text: str) -> dict[str, str]:
    r"""What has a translation, by what it translates.

    >>> read_po('#. a greeting\nmsgid "Hello"\nmsgstr ""\n"Bon"\n"jour\\n"\n\nmsgid "later"\nmsgstr ""\n')
    {'Hello': 'Bonjour\n'}
    """
    pairs: list[dict[str, str]] = []
    field = ""
    for number, line in enumerate(text.split("\n"), 1):
        written = line.strip()
        if not written or written.startswith("#"):
            continue
        said = _LINE.fullmatch(written)
        if said is None or not (pairs or said[1] == "msgid"):
            raise ValueError(f"line {number} of a catalogue is no msgid, msgstr or continuation: {written}")
        if said[1] == "msgid":
            pairs.append({"msgid": "", "msgstr": ""})
        field = said[1] or field
        pairs[-1][field] += _ESCAPED.sub(lambda escaped: _MEANT.get(escaped[1], escaped[1]), said[2])
    return {pair["msgid"]: pair["msgstr"] for pair in pairs if pair["msgid"] and pair["msgstr"]}
