"""From a question to the text that a checkpoint was trained on, by its own chat template, and to tensors."""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lifeloom.models.calls.messages import prompt_parts, quoted_answer, reask_note, schema_note
from lifeloom.models.calls.wire import BadRequest, Question, SentPicture
from lifeloom.models.huggingface.loading import LoadedModel
from lifeloom.models.protocol import InstallationBroken
from lifeloom.store.pictures import PictureRejected, decode_picture

__all__ = ["EncodedPrompt", "PromptEncoder", "TemplateFails"]

_PLAIN_TEMPLATE = "{% for message in messages %}{{ message['content'] }}\n\n{% endfor %}"
"""For a checkpoint that was never taught to chat: the texts below each other."""

Message = dict[str, Any]


class TemplateFails(InstallationBroken):
    """The chat template of a checkpoint raises an error."""


@dataclass(frozen=True)
class EncodedPrompt:
    """One prompt as tensors of one row."""

    sequences: Mapping[str, Any]
    """What has a value for each token, shape (1, L): ``input_ids``, ``attention_mask``, types of tokens."""
    pictures: Mapping[str, Any]
    """What belongs to the pictures, their number (or that of their patches) first."""
    length: int
    """L, in tokens; pictures included."""

    @property
    def kind(self) -> tuple[Any, ...]:
        """Prompts of one kind can stand in one batch."""
        return tuple(sorted((name, *map(str, value.shape[1:])) for name, value in self.pictures.items()))


class PromptEncoder:
    """Encodes questions for one model. Safe to use from threads, one at a time.

    Args:
        loaded: The model.
        thinking: Whether its template should let it think, where the template knows the difference.

    Raises:
        TemplateFails: the template says nothing at all.
    """

    def __init__(self, loaded: LoadedModel, *, thinking: bool) -> None:
        self._loaded = loaded
        self._thinking = thinking
        self._lock = threading.Lock()  # tokenizers and processors change their own state as they work
        self._templates = loaded.tokenizer if loaded.processor is None else loaded.processor
        # A processor keeps its template beside the tokenizer's, and one that keeps none has it there.
        if not getattr(self._templates, "chat_template", None):
            self._templates = loaded.tokenizer
        self._template = None if self._templates.chat_template else _PLAIN_TEMPLATE
        self._knows_thinking = "enable_thinking" in str(self._templates.chat_template)
        special = {str(token) for token in loaded.tokenizer.added_tokens_decoder.values() if token.special}
        special |= {str(token) for token in loaded.tokenizer.all_special_tokens}
        special |= {token for name in ("image_token", "video_token") if (token := getattr(self._templates, name, ""))}
        self._special = re.compile("|".join(map(re.escape, sorted(special, key=len, reverse=True))) or r"(?!)")
        self._knows_system = self._says_system()

    def encode(self, question: Question, *, with_schema: bool) -> EncodedPrompt:
        """Return the prompt of ``question`` up to where the assistant's answer begins.

        Args:
            question: Its text cannot pose as another message: the template's control tokens are taken apart in it.
            with_schema: The instructions end with the JSON schema, and the model may think; without, the answer
                itself follows.

        Raises:
            BadRequest: it has pictures and the model sees none, or a picture is nothing that it takes.
            TemplateFails: the template cannot say it.
        """
        if question.pictures and self._loaded.processor is None:
            raise BadRequest("this checkpoint reads text only", "pictures")
        pictures: list[SentPicture] = []
        messages = self._messages(question, pictures, with_schema=with_schema)
        try:
            images = [decode_picture(picture.data) for picture in pictures]
        except PictureRejected as error:
            raise BadRequest(str(error), "picture") from None
        with self._lock:
            text = self._rendered(messages, thinking=self._thinking and with_schema)
            try:
                return self._tensors(text, images)
            except ValueError as error:  # for example a picture three hundred times as long as wide
                raise BadRequest(f"{error}", "picture" if images else "other") from error

    def encode_option(self, text: str) -> list[int]:
        """Return the tokens of an answer's text alone."""
        with self._lock:
            return list(self._loaded.tokenizer(self._harmless(text), add_special_tokens=False)["input_ids"])

    def _messages(self, question: Question, pictures: list[SentPicture], *, with_schema: bool) -> list[Message]:
        output_type = question.task.output_type
        note = schema_note(output_type) if with_schema else ""
        system = "\n\n".join(part for part in (question.task.instructions, note) if part)
        content: list[Message] = []
        for part in prompt_parts(question.prompt, question.pictures):
            if isinstance(part, str):
                content.append(_text(self._harmless(part)))
            else:
                pictures.append(part)
                content.append({"type": "image"})
        messages = [{"role": "user", "content": content}]
        if question.again is not None:
            note, quoted = reask_note(question.again, output_type), quoted_answer(question.again)
            if quoted:
                messages.append({"role": "assistant", "content": [_text(self._harmless(quoted))]})
                messages.append({"role": "user", "content": [_text(self._harmless(note))]})
            else:
                content.append(_text("\n\n" + self._harmless(note)))
        if self._knows_system:
            return [{"role": "system", "content": [_text(system)]}, *messages]
        content.insert(0, _text(system + "\n\n"))
        return messages

    def _rendered(self, messages: list[Message], *, thinking: bool) -> str:
        if self._loaded.processor is None:  # templates of text models want texts
            messages = [
                {"role": message["role"], "content": "".join(part["text"] for part in message["content"])}
                for message in messages
            ]
        try:
            rendered: str = self._templates.apply_chat_template(
                messages,
                tokenize=False,
                add_generation_prompt=True,
                chat_template=self._template,
                **({"enable_thinking": thinking} if self._knows_thinking else {}),
            )
        except Exception as error:
            # A template is a program: besides the errors of the language it can raise those of what it calculates.
            raise TemplateFails(
                f"the checkpoint's chat template cannot be rendered ({type(error).__name__}: {error}): mend "
                "chat_template.jinja, or take the one of the model that it was trained from"
            ) from error
        return rendered

    def _says_system(self) -> bool:
        """Return whether the template shows a system message; some raise, some leave it out."""
        mark = "lifeloom-system-mark"
        messages = [{"role": "system", "content": [_text(mark)]}, {"role": "user", "content": [_text("user")]}]
        try:
            if mark in self._rendered(messages, thinking=False):
                return True
        except TemplateFails:
            pass  # then the next attempt tells a template without system messages from a broken one
        self._rendered(messages[1:], thinking=False)
        return False

    def _tensors(self, text: str, images: list[Any]) -> EncodedPrompt:
        # A template writes the first special token itself; without one the tokenizer adds it.
        options = {"add_special_tokens": self._template is not None, "return_tensors": "pt"}
        if self._loaded.processor is None:
            features = self._loaded.tokenizer([text], **options)
        else:
            features = self._loaded.processor(text=[text], images=images or None, **options)
        sequences: dict[str, Any] = {}
        pictures: dict[str, Any] = {}
        for name, value in features.items():
            per_token = name in {"input_ids", "attention_mask"} or name.endswith("token_type_ids")
            (sequences if per_token else pictures)[name] = value
        if "token_type_ids" in sequences and not self._takes_token_types():
            del sequences["token_type_ids"]
        return EncodedPrompt(sequences, pictures, int(sequences["input_ids"].shape[1]))

    def _takes_token_types(self) -> bool:
        return "token_type_ids" in inspect.signature(self._loaded.model.forward).parameters

    def _harmless(self, text: str) -> str:
        """Return ``text`` with a space in every control token, so that it is read as the letters it is made of."""
        return self._special.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)


def _text(text: str) -> Message:
    return {"type": "text", "text": text}
