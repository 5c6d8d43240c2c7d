"""Diagnostics of contextualised visual personalisation: LSD, LAR and ITR, with and without captions (CoViP Table 3)."""
