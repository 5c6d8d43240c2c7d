"""Rules that written conversations are held to (P4), one module a subject. ``validation`` applies them."""
