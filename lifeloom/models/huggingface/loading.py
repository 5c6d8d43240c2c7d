"""A checkpoint in memory: the right class, its tokenizer or processor, dtype, device, adapter."""

from __future__ import annotations

import contextlib
import importlib
import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lifeloom.models.huggingface.checkpoints import Checkpoint
from lifeloom.models.protocol import InstallationBroken

__all__ = ["LoadedModel", "load"]

_log = logging.getLogger(__name__)

_LONGEST_UNKNOWN = 1 << 20  # context of a configuration that names none

_loading = threading.Lock()  # transformers is not made to load two models at once: it sets the default dtype


@dataclass(frozen=True)
class LoadedModel:
    """A model that can be asked. Everything of ``Any`` type is an object of transformers."""

    model: Any
    processor: Any
    """Turns texts and pictures into tensors; None for a model of text only."""
    tokenizer: Any
    context_tokens: int
    """Prompt and answer together, in tokens of ``tokenizer``."""
    vocabulary: int
    """Length of a row of logits; may be more than the tokenizer has."""
    ends: frozenset[int]
    """Tokens that end an answer."""
    pad: int

    @property
    def device(self) -> Any:
        """Where inputs belong."""
        return self.model.device


def load(checkpoint: Checkpoint, adapter: Checkpoint | None, *, device: str, dtype: str) -> LoadedModel:
    """Return the model of ``checkpoint`` with ``adapter`` on it.

    Args:
        checkpoint: What to load. Nothing but its folder is read, no code in it is run, and no pickle is opened.
        adapter: A LoRA of peft, kept beside the weights so that nothing of it is lost to rounding.
        device: A device of torch (``cuda:1``, ``cpu``), or ``auto``: the GPU, several GPUs together, or the CPU.
        dtype: ``float32``, ``bfloat16``, ``float16``, or ``auto``: the checkpoint's own on a GPU, float32 on a CPU.

    Raises:
        InstallationBroken: a package or a file is missing or damaged, or there is no such device.
    """
    folder = checkpoint.fetch()
    with _loading, _explained(checkpoint.name):
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText
        from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        # Without a word on remote code transformers asks on standard input.
        source: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        if checkpoint.gguf:
            source["gguf_file"] = checkpoint.gguf
        config = AutoConfig.from_pretrained(folder, **source)
        if checkpoint.gguf:
            source["config"] = config  # or the file, whose reader is slow, is read four times in all
        sees = type(config) in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING and hasattr(config, "vision_config")
        processor, tokenizer = _processor(folder, source, sees=sees)
        place = _place(device, torch)
        with _unpacking(checkpoint) if checkpoint.gguf else contextlib.nullcontext():
            model, info = (AutoModelForImageTextToText if sees else AutoModelForCausalLM).from_pretrained(
                folder,
                dtype=_dtype(dtype, place, torch),
                output_loading_info=True,
                use_safetensors=None if checkpoint.gguf else True,
                **({"device_map": "auto"} if place is None else {}),
                **source,
            )
        _check_complete(checkpoint.name, info)
        if place is not None:
            model.to(place)
            if place.type == "cpu":
                _detach_from_files(model)
        if adapter is not None:
            model = _with_adapter(model, adapter)
        model.eval()
        return _described(model, processor, tokenizer)


@contextlib.contextmanager
def _unpacking(checkpoint: Checkpoint) -> Iterator[None]:
    """Keep the reader of GGUF from drawing its progress, which no setting of transformers hides; used while loading."""
    _log.info("%s: unpacking the weights of %s", checkpoint.name, checkpoint.gguf)
    reader = importlib.import_module("transformers.modeling_gguf_pytorch_utils")
    drawing = getattr(reader, "tqdm", None)
    if drawing is None:  # another version, which draws in another way or not at all
        yield
        return
    reader.tqdm = lambda tensors, **_: tensors  # type: ignore[attr-defined]
    try:
        yield
    finally:
        reader.tqdm = drawing  # type: ignore[attr-defined]


@contextlib.contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn what transformers, peft and torch say of broken files into one type."""
    try:
        yield
    except InstallationBroken:
        raise
    except ImportError as error:
        raise InstallationBroken(f"{name} needs a package that is not installed: {error}") from error
    except Exception as error:
        # safetensors, tokenizers, gguf and peft each have their own errors, some of them plain Exception.
        raise InstallationBroken(f"{name} cannot be loaded ({type(error).__name__}: {error})") from error


def _processor(folder: Path, source: dict[str, Any], *, sees: bool) -> tuple[Any, Any]:
    from transformers import AutoProcessor, AutoTokenizer

    if not sees:
        return None, AutoTokenizer.from_pretrained(folder, **source)
    processor = AutoProcessor.from_pretrained(folder, **source)  # type: ignore[no-untyped-call]
    return processor, processor.tokenizer


def _place(device: str, torch: Any) -> Any:
    """Return the device; None to spread the model over all GPUs."""
    if device == "auto":
        gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
        return None if gpus > 1 else torch.device("cuda" if gpus else "cpu")
    place = torch.device(device)
    if place.type == "cuda" and (place.index or 0) >= torch.cuda.device_count():
        raise InstallationBroken(
            f'there is no device {device} here ({torch.cuda.device_count()} GPUs): set device = "auto" or "cpu"'
        )
    return place


def _dtype(dtype: str, place: Any, torch: Any) -> Any:
    if dtype == "auto":
        # The 16-bit types are several times slower than float32 on most CPUs.
        return torch.float32 if place is not None and place.type == "cpu" else "auto"
    known = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
    if dtype not in known:
        raise InstallationBroken(f"dtype {dtype} is not known: use auto, {', '.join(known)}")
    return known[dtype]


def _check_complete(name: str, info: dict[str, Any]) -> None:
    """Refuse a checkpoint that would answer with weights made up at random."""
    for kind in ("missing_keys", "mismatched_keys"):
        if info[kind]:
            keys = sorted(str(key) for key in info[kind])
            raise InstallationBroken(
                f"{name} is incomplete: {len(keys)} {kind.replace('_keys', '')} weights, for example {keys[0]}"
            )


def _detach_from_files(model: Any) -> None:
    """Copy the weights into memory of their own, one tensor at a time.

    Those that have the file's type are the file, mapped into memory: a training that saves into the same folder would
    change the answers of a model that was loaded before, and a file that is cut would end the process.
    """
    for tensor in (*model.parameters(), *model.buffers()):
        tensor.data = tensor.data.clone()


def _with_adapter(model: Any, adapter: Checkpoint) -> Any:
    from peft import PeftConfig, get_peft_model

    folder = adapter.fetch()
    if not (folder / "adapter_model.safetensors").is_file():
        raise InstallationBroken(f"{adapter.name} has no adapter_model.safetensors: save it in that format")
    config = PeftConfig.from_pretrained(str(folder))
    if config.is_prompt_learning:
        raise InstallationBroken(f"{adapter.name} is an adapter of type {config.peft_type}: only LoRA and its kin work")
    config.inference_mode = True
    wrapped = get_peft_model(model, config)
    result = wrapped.load_adapter(str(folder), "default")
    for problem, keys in (("lacks", result.missing_keys), ("has", result.unexpected_keys)):
        if keys:
            too_many = " that the model has no place for" if problem == "has" else ""
            raise InstallationBroken(
                f"{adapter.name} does not fit the model: it {problem} {len(keys)} weights{too_many}, for example "
                f"{keys[0]}. Give it with the model that it was made for"
            )
    return wrapped.get_base_model()  # with the adapter's layers in it, and with the methods of the model


def _described(model: Any, processor: Any, tokenizer: Any) -> LoadedModel:
    from transformers import GenerationConfig

    text = model.config.get_text_config()
    own = model.generation_config
    ends = own.eos_token_id if isinstance(own.eos_token_id, list) else [own.eos_token_id]
    known_ends = frozenset(end for end in [*ends, tokenizer.eos_token_id] if end is not None)
    pads = (tokenizer.pad_token_id, own.pad_token_id, *sorted(known_ends), 0)
    pad = next(pad for pad in pads if isinstance(pad, int) and pad >= 0)
    # How a checkpoint likes to be sampled is its author's taste; what is asked for here is the task's.
    model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
        eos_token_id=sorted(known_ends) or None, pad_token_id=pad
    )
    return LoadedModel(
        model=model,
        processor=processor,
        tokenizer=tokenizer,
        context_tokens=getattr(text, "max_position_embeddings", None) or _LONGEST_UNKNOWN,
        vocabulary=text.vocab_size,
        ends=known_ends,
        pad=pad,
    )
