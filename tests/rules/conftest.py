"""How hard the laws are tried: HYPOTHESIS_PROFILE=thorough for a long look, quick otherwise."""

import os

from hypothesis import HealthCheck, settings

# Games are drawn and played to the end inside one example, which takes its time by design.
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "quick", max_examples=25, deadline=None, derandomize=True, suppress_health_check=SLOW
)
settings.register_profile(
    "thorough", max_examples=300, deadline=None, print_blob=True, suppress_health_check=SLOW
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
