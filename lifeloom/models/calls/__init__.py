"""Calls to models and the weather they live in: one place for retries, limits, cache, cost, keys and bad answers.

``answering.AnsweringModel`` is the language model that all of it surrounds; a backend is a ``wire.Wire``, which makes
one attempt and says in typed words what became of it. No backend retries, waits, counts or caches by itself.
"""
