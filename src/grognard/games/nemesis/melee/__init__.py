"""Chapter 19: close combat: who attacks whom, in which order, and every blow."""
