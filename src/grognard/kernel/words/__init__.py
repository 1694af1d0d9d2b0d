"""Numbers that can say why; English templates by code, other languages by gettext catalogues."""
