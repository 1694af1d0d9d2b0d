"""Chapter 16: reactions to charges, and the charges themselves."""
