"""Pictures by a Gemini image model, from a caption and portraits of the people in it."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lifeloom.models.byte_cache import ByteCache
from lifeloom.models.calls.flights import Flights
from lifeloom.models.calls.keys import Key, required_key
from lifeloom.models.calls.retries import TransientFailure
from lifeloom.models.calls.sending import CallSettings, ModelTally, Sender
from lifeloom.models.calls.sent_pictures import sent_pictures
from lifeloom.models.calls.stopping import Stop
from lifeloom.models.calls.wire import BadRequest, Question, Reply, encodable
from lifeloom.models.gemini.caption import caption_of
from lifeloom.models.gemini.model import DEFAULT_KEY_VARIABLE
from lifeloom.models.gemini.wire import GeminiWire, PictureReply
from lifeloom.models.protocol import (
    CapabilityMissing,
    DrawnPicture,
    ModelIdentity,
    ModelUnavailable,
    PictureNotDrawn,
    PictureSource,
    Portrait,
)
from lifeloom.records.conversation import PictureReference
from lifeloom.records.pictures import PicturePlan
from lifeloom.store.pictures import PictureRejected, decode_picture, encode_png
from lifeloom.tasks.base import GenerationTask, TaskInput, TextOutput
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["GeminiImageMaker", "Portrait"]


class _Wanted(TaskInput):
    names: tuple[str, ...]
    """Of the people whose portraits go with the question, in their order."""
    caption: str


_DRAWING = GenerationTask(
    name="picture_drawing",
    version="1",
    input_type=_Wanted,
    output_type=TextOutput,
    instructions="Draw one picture that shows what is described below and nothing that contradicts it. Each person "
    "or animal that is called by a name looks like their portrait. No writing, no frame, no collage.",
    template="{% for name in input.names %}Portrait of {{ name }}: <img>\n{% endfor %}{{ input.caption }}",
    max_tokens=8192,  # for the budget: the most that a picture with the words and thoughts around it takes
)

_HEADER = struct.Struct(">QQ32s")  # tokens sent and received, SHA-256 of the file
_MEMORY_ITEMS = 16


@dataclass(frozen=True)
class _Drawn:
    data: bytes
    """PNG."""
    prompt_tokens: int
    completion_tokens: int


class GeminiImageMaker:
    """An ``ImageMaker`` that asks a Gemini image model. Safe to use from threads.

    What was drawn once is found again in the cache, by the whole request: model, server, words, portraits, sample.

    Args:
        model: Name as the server knows it, for example ``gemini-2.5-flash-image``.
        base_url: The server, without the version of the API; empty: Google's own.
        key: The key; None or empty only makes sense for servers that want none.
        portraits: Gives the files of portraits; without it none can be sent.
        cache_path: SQLite file of what was drawn before; None: what this process draws is kept in memory only.
        connect_seconds: Longest time to reach the server.
        calls: Limits, retries, meter, clocks. Its cache holds texts and is not used.

    Raises:
        ValueError: ``model`` is no name of a model, or ``base_url`` is no HTTP address, or has credentials in it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "",
        key: Key | None = None,
        portraits: PictureSource | None = None,
        cache_path: Path | None = None,
        connect_seconds: float = 10.0,
        calls: CallSettings | None = None,
    ) -> None:
        calls = calls or CallSettings()
        self._wire = GeminiWire(
            model,
            base_url=base_url,
            key=key or Key("", DEFAULT_KEY_VARIABLE),
            connections=calls.gate.concurrency,
            connect_seconds=connect_seconds,
            timing=calls.timing,
        )
        self._sender = Sender(self._wire, calls)
        self._flights = Flights()
        self._portraits = portraits
        self._cache = ByteCache(cache_path, _MEMORY_ITEMS)

    @classmethod
    def from_environment(
        cls,
        model: str,
        *,
        base_url: str = "",
        api_key_variable: str = DEFAULT_KEY_VARIABLE,
        environment: Mapping[str, str] | None = None,
        **options: Any,
    ) -> GeminiImageMaker:
        """Return a maker whose key stands in an environment variable, or in the file that VARIABLE_FILE names.

        Args:
            model: Name as the server knows it.
            base_url: The server; empty: Google's own.
            api_key_variable: Name of the variable.
            environment: Where to look it up; None: the process's environment.
            **options: Further arguments of the constructor.

        Raises:
            ModelRefusesKey: there is no key and the server is Google's own.
        """
        key = required_key(model, base_url, api_key_variable, environment)
        return cls(model, base_url=base_url, key=key, **options)

    def __repr__(self) -> str:
        return f"GeminiImageMaker({self.identity.model!r}, base_url={self._wire.address!r})"

    def __enter__(self) -> GeminiImageMaker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and the cache's file."""
        self._wire.close()
        self._cache.close()

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        return self._wire.identity

    @property
    def tally(self) -> ModelTally:
        """What was paid and what happened: as a language model's, and ``rejected_refusal``, ``rejected_no_picture``."""
        return self._sender.tally

    def check(self) -> str:
        """Ask the server once whether it has the model, and return one line. Nothing is drawn, so it costs nothing.

        Raises:
            ModelUnavailable: no answer, or no such model.
            ModelRefusesKey: authentication or quota.
        """
        try:
            self._wire.look_up(60.0)
        except (BadRequest, TransientFailure) as error:
            problem = str(error)
        else:
            return f"{self.identity.model} at {self._wire.address} is there (nothing was drawn)"
        raise ModelUnavailable(f"{self!r} does not say whether it is there: {problem}. Check its address and its name")

    def draw(self, plan: PicturePlan) -> DrawnPicture:
        """Draw ``plan`` from its caption, cut to a square of ``plan.size`` pixels. ``plan.seed`` tells drawings apart.

        The model does not say what stands where: ``subjects`` is empty.

        Raises:
            PictureNotDrawn, ModelError: as ``draw_caption``.
        """
        drawn = self._draw(plan.picture_id, caption_of(plan), (), plan.seed)
        return _picture(drawn.data, plan.size)

    def draw_caption(
        self, caption: str, portraits: Sequence[Portrait] = (), *, sample: int = 0, size: int | None = None
    ) -> DrawnPicture:
        """Draw what ``caption`` says.

        Args:
            caption: Plain words.
            portraits: How people that it calls by name look.
            sample: Which of several pictures of the same caption: another sample is another picture, paid for and
                kept on its own.
            size: Side in pixels of the square that it is cut to; None: as the model gives it.

        Raises:
            PictureNotDrawn: the model or a filter over it declines, answers without a picture, or with a broken one.
            CapabilityMissing: the model takes no portraits, or not as many; or there is nowhere to get them from.
            ModelUnavailable: no answer within the retries, or no such model.
            ModelRefusesKey: authentication or quota.
            BudgetExhausted: the budget does not allow the call.
            InstallationBroken: the SDK is not installed.
        """
        drawn = self._draw(f"of {caption[:80]!r}", caption, portraits, sample)
        return _picture(drawn.data, size)

    def candidates(self, caption: str, portraits: Sequence[Portrait], count: int) -> list[DrawnPicture]:
        """Return samples 0 to ``count`` - 1 of one caption, each its own call.

        Raises:
            PictureNotDrawn, ModelError: as ``draw_caption``; what was drawn before is kept.
        """
        return [self.draw_caption(caption, portraits, sample=sample) for sample in range(count)]

    def _draw(self, picture_id: str, caption: str, portraits: Sequence[Portrait], sample: int) -> _Drawn:
        if portraits and self._portraits is None:
            raise CapabilityMissing(f"{self!r} was made without a source of portraits: give it one, or no portraits")
        # A mark in what others wrote would put the portraits in other places.
        names = tuple(portrait.name.replace(PICTURE_MARK, "") for portrait in portraits)
        prompt = encodable(_DRAWING.render(_Wanted(names=names, caption=caption.replace(PICTURE_MARK, ""))))
        key, halt = self._key(prompt, portraits, sample), self._sender.halt
        with self._flights.alone(key.hex()):
            drawn = self._recall(key)
            if drawn is not None:
                self._sender.recalled(_DRAWING.prompt_version, drawn.prompt_tokens, drawn.completion_tokens)
                return drawn
            drawn = self._ask(picture_id, prompt, [portrait.picture for portrait in portraits], halt)
            self._keep(key, drawn)
            return drawn

    def _ask(self, picture_id: str, prompt: str, portraits: Sequence[PictureReference], halt: Stop) -> _Drawn:
        question = Question(
            _DRAWING, prompt, () if self._portraits is None else sent_pictures(portraits, self._portraits)
        )
        try:
            reply: Reply = self._sender.send(
                question,
                lambda seconds: self._wire.draw(question, seconds),
                answer_tokens=_DRAWING.max_tokens,
                halt=halt,
            )
        except BadRequest as error:
            refused = error
        else:
            return self._drawn(picture_id, reply)
        if refused.kind == "pictures":
            self._happened("pictures_refused")
            raise CapabilityMissing(f"{self!r} refuses a request for its {len(portraits)} portraits: {refused}")
        self._happened("rejected_bad_request")
        raise PictureNotDrawn(picture_id, f"the model finds the request wrong: {refused}")

    def _drawn(self, picture_id: str, reply: Reply) -> _Drawn:
        file = reply.file if isinstance(reply, PictureReply) else b""
        if reply.finish == "refusal":
            event, reason = "rejected_refusal", f"the model declines ({reply.refusal[:300]})"
        elif not file:
            event, reason = "rejected_no_picture", f"the model answered without a picture: {reply.content[:300]!r}"
        else:
            try:
                data = encode_png(decode_picture(file))
            except PictureRejected as error:
                event, reason = "rejected_broken_picture", f"the model's file is no picture that can be read: {error}"
            else:
                return _Drawn(data, reply.prompt_tokens or 0, reply.completion_tokens or 0)
        self._happened(event)
        raise PictureNotDrawn(picture_id, reason)

    def _happened(self, event: str) -> None:
        self._sender.happened(_DRAWING.prompt_version, event)

    def _key(self, prompt: str, portraits: Sequence[Portrait], sample: int) -> bytes:
        shown = [portrait.picture.content_hash for portrait in portraits]
        request = [self._wire.address, self.identity.model, _DRAWING.prompt_version, prompt, shown, sample]
        return hashlib.sha256(json.dumps(request).encode()).digest()

    def _recall(self, key: bytes) -> _Drawn | None:
        kept = self._cache.get_many(_DRAWING.prompt_version, [key]).get(key, b"")
        if len(kept) < _HEADER.size:
            return None
        sent, received, digest = _HEADER.unpack_from(kept)
        data = kept[_HEADER.size :]
        return _Drawn(data, sent, received) if hashlib.sha256(data).digest() == digest else None

    def _keep(self, key: bytes, drawn: _Drawn) -> None:
        header = _HEADER.pack(drawn.prompt_tokens, drawn.completion_tokens, hashlib.sha256(drawn.data).digest())
        self._cache.put_many(_DRAWING.prompt_version, {key: header + drawn.data})


def _picture(data: bytes, size: int | None) -> DrawnPicture:
    """Return a drawn file, cut to a square of ``size`` pixels where that is wanted."""
    image = decode_picture(data)
    if size is None:
        return DrawnPicture(data=data, width=image.width, height=image.height, subjects=())
    from PIL.ImageOps import fit

    return DrawnPicture(data=encode_png(fit(image, (size, size))), width=size, height=size, subjects=())
