"""What ``scripts/fit_eyes.py`` and ``perf/seeing.py`` share: people, plans and drawn examples with known contents."""
