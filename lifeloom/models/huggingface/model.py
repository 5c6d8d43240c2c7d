"""Backend ``huggingface``: a checkpoint of transformers in this process."""

from __future__ import annotations

from lifeloom.models.calls.answering import AnsweringModel, CallSettings
from lifeloom.models.huggingface.scoring import Normalisation
from lifeloom.models.huggingface.wire import HuggingFaceWire
from lifeloom.models.protocol import PictureSource

__all__ = ["HuggingFaceModel"]


class HuggingFaceModel(AnsweringModel):
    """A text or vision-language checkpoint in this process, trained an hour ago or downloaded.

    Threads that ask at the same time are answered as one batch, each by its own limit, stops, temperature and seed. A
    draw at a temperature above 0 depends on the question and the sample only. Answers of tasks with a schema are JSON
    of that schema by construction. Files are looked at when the model is made, and loaded at the first question.

    Args:
        model: A folder, a ``.gguf`` file, ``package:NAME`` for a Python package that carries weights, or a hub id.
        adapter: A LoRA (folder or hub id) to put on it; empty for none.
        device: A device of torch (``cuda:1``, ``cpu``), or ``auto``: the GPU, several together, or the CPU.
        dtype: ``float32``, ``bfloat16``, ``float16``, or ``auto``: the checkpoint's own on a GPU, float32 on a CPU.
        batch: Most questions answered at once.
        thinking: Whether the model may think before it answers, where its chat template knows the difference.
        thinking_tokens: How many tokens that may take, beside those of the answer.
        window_tokens: Context window to declare, in tokens of ``lifeloom.models.tokens``.
        takes_pictures: Whether the model sees; False for one that reads text only.
        pictures: Gives the files of pictures; without it none can be shown, and the model takes none.
        scores_options: Whether choices are made by the likelihood of the options' texts.
        normalise: By what the log-likelihood of an option is divided: its length in ``bytes``, in ``tokens``, or
            ``none``.
        calls: Cache, limits, retries, meter, clocks.

    Raises:
        ValueError: ``model`` is empty, or ``batch`` is less than 1.
        InstallationBroken: there is no such checkpoint or adapter.
    """

    def __init__(
        self,
        model: str,
        *,
        adapter: str = "",
        device: str = "auto",
        dtype: str = "auto",
        batch: int = 8,
        thinking: bool = False,
        thinking_tokens: int = 4096,
        window_tokens: int = 32768,
        takes_pictures: bool = True,
        pictures: PictureSource | None = None,
        scores_options: bool = True,
        normalise: Normalisation = "bytes",
        calls: CallSettings | None = None,
    ) -> None:
        calls = calls or CallSettings()
        wire = HuggingFaceWire(
            model,
            adapter=adapter,
            device=device,
            dtype=dtype,
            batch=batch,
            thinking=thinking,
            thinking_tokens=thinking_tokens,
            normalise=normalise,
            timing=calls.timing,
        )
        super().__init__(
            wire,
            window_tokens=window_tokens,
            pictures=pictures if takes_pictures else None,
            scores_options=scores_options,
            calls=calls,
        )
