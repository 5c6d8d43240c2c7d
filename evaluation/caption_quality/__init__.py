"""Does a captioner describe well, and see only what is there? Reference metrics, POPE, CHAIR, MMHal (CoViP 6.1)."""
