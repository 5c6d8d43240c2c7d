"""Answers that are JSON of a schema by construction: which tokens may come next."""

from __future__ import annotations

import json
import logging
import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from lifeloom.models.calls.schemas import schemas_of
from lifeloom.models.huggingface.loading import LoadedModel
from lifeloom.tasks.base import TaskOutput

__all__ = ["Constraint", "Constraints"]

_log = logging.getLogger(__name__)

_OPTIONS: Any = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": ", "lenient": True}
"""JSON on one line, spaced as models have seen most of it: free white space is where small models get lost for ever.
Lenient: what a grammar cannot say (that items differ, for example) is left out, and decoding checks it."""


class Constraint:
    """What may come next in one answer.

    Args:
        matcher: Of llguidance, at the start of its grammar.
        vocabulary: Length of a row of logits.
    """

    def __init__(self, matcher: Any, vocabulary: int) -> None:
        self._matcher = matcher
        self._bits = np.zeros(-(-vocabulary // 32), dtype=np.int32)
        self._vocabulary = vocabulary

    def reset(self) -> None:
        """Go back to the start."""
        self._matcher.reset()

    def allowed(self) -> npt.NDArray[np.bool_]:
        """Return which tokens may come next, shape (vocabulary,)."""
        self._matcher.unsafe_compute_mask_ptr(self._bits.ctypes.data, self._bits.nbytes)
        bits = np.unpackbits(self._bits.view(np.uint8), bitorder="little")
        return bits[: self._vocabulary].astype(np.bool_)

    def accept(self, token: int) -> bool:
        """Take ``token``; return whether the answer is complete.

        Raises:
            RuntimeError: the token was not allowed.
        """
        if not self._matcher.consume_token(token):
            raise RuntimeError(f"the grammar does not take token {token}: {self._matcher.get_error()}")
        return bool(self._matcher.is_stopped())


class Constraints:
    """Makes constraints for one model; a schema is compiled once. Safe to use from threads.

    Args:
        loaded: The model.
        name: Of the model, for the log.
    """

    def __init__(self, loaded: LoadedModel, name: str) -> None:
        self._loaded = loaded
        self._name = name
        self._lock = threading.Lock()
        self._tokens: Any = None
        self._compiled: dict[type[TaskOutput], Any] = {}

    def constraint(self, output_type: type[TaskOutput]) -> Constraint | None:
        """Return a constraint for one answer; None for free text, and where the schema cannot be enforced."""
        schemas = schemas_of(output_type)
        if schemas is None:
            return None
        with self._lock:
            if output_type not in self._compiled:
                self._compiled[output_type] = self._matcher(schemas.plain, output_type.__name__)
            matcher = self._compiled[output_type]
            return None if matcher is None else Constraint(matcher.deep_copy(), self._loaded.vocabulary)

    def _matcher(self, schema: dict[str, Any], name: str) -> Any:
        import llguidance
        import llguidance.hf

        try:
            if self._tokens is None:
                self._tokens = llguidance.hf.from_tokenizer(
                    self._loaded.tokenizer,
                    n_vocab=max(self._loaded.vocabulary, len(self._loaded.tokenizer)),
                    eos_token=sorted(self._loaded.ends) or None,
                )
            grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema), overrides=_OPTIONS)
            matcher = llguidance.LLMatcher(self._tokens, grammar, log_level=0)
            problem = matcher.get_error()
            loose = "; ".join(matcher.get_grammar_warnings())
        except (ValueError, RuntimeError) as error:  # a tokenizer that is not a fast one, a schema that is none
            problem = str(error)
        if problem:
            _log.warning("%s answers %s without being held to its schema: %s", self._name, name, problem)
            return None
        if loose:
            _log.warning("%s is held to the schema of %s except for: %s", self._name, name, loose)
        return matcher
