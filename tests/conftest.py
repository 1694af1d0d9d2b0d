"""Settings every test shares."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# the same examples on every run and every machine, however slow; the fuzzers bring their own seeds
settings.register_profile("grognard", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("grognard")
