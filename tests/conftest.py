"""Settings every test shares."""

from __future__ import annotations

from hypothesis import settings

# the same examples on every run and every machine; the fuzzers bring their own seeds
settings.register_profile("grognard", derandomize=True, deadline=None)
settings.load_profile("grognard")
