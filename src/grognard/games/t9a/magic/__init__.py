"""Chapter 13: the Magic Phase: flux and veil, casting, dispelling, miscasts, what spells do."""
