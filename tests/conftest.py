"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is, not whether the code is right: speed is shown under perf/.
settings.register_profile("lifeloom", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lifeloom")
