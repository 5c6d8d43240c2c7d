"""Finding and loading a checkpoint of Grounding DINO: a folder, or what the hub has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lifeloom.models.checkpoints import CheckpointFiles, NumberType, folder_files, hub_folder
from lifeloom.models.protocol import InstallationBroken

__all__ = [
    "GroundingDinoNetwork",
    "GroundingDinoSource",
    "GroundingDinoUnusable",
    "find_checkpoint",
    "load_network",
    "package_version",
]

_PATTERNS = ("*.json", "*.txt", "*.safetensors")
_WEIGHTS = (".safetensors", ".bin")


class GroundingDinoUnusable(InstallationBroken):
    """The package or the checkpoint is missing, damaged, or of another model."""


@dataclass(frozen=True)
class GroundingDinoSource:
    """Where a checkpoint is."""

    folder: Path
    label: str
    """For people and records: no path of this machine."""
    files: CheckpointFiles


@dataclass(frozen=True, eq=False)
class GroundingDinoNetwork:
    """A loaded checkpoint."""

    model: Any
    images: Any
    """Scales and normalises pictures."""
    tokenizer: Any
    window: int
    """Tokens of text that the model reads."""
    device: str


def find_checkpoint(checkpoint: str) -> GroundingDinoSource:
    """Find a folder or, when there is none of that name, a hub id; what this machine does not have is fetched.

    Raises:
        CheckpointUnreadable: a file is there but cannot be read.
        GroundingDinoUnusable: the package is missing, or what is there is no such checkpoint.
        NotOnHub: it is neither here nor to be had.
    """
    package_version()  # the package first: its absence explains everything else
    folder = Path(checkpoint)
    is_folder = folder.is_dir()
    label = folder.resolve().name if is_folder else checkpoint
    if not is_folder:
        folder = hub_folder(checkpoint, _PATTERNS, _is_complete)
        if not _is_complete(folder):
            folder = hub_folder(checkpoint, (*_PATTERNS, "*.bin"), _is_complete)
    if not _is_complete(folder):
        there = ", ".join(sorted(path.name for path in folder_files(folder))) or "nothing of the kind"
        advice = "" if is_folder else "; let this machine reach the hub (HF_HUB_OFFLINE=0) for the rest"
        raise GroundingDinoUnusable(
            f"{folder}: a checkpoint's folder holds config.json, weights (*{', *'.join(_WEIGHTS)}), the files of a "
            f"tokenizer and processor_config.json or preprocessor_config.json; there is {there}{advice}"
        )
    try:
        kind = json.loads((folder / "config.json").read_bytes()).get("model_type")
    except (OSError, ValueError, AttributeError) as error:
        raise GroundingDinoUnusable(f"{folder / 'config.json'} is no configuration of a model: {error}") from error
    if kind != "grounding-dino":
        raise GroundingDinoUnusable(f"{checkpoint} holds a model of type {kind!r}, not 'grounding-dino'")
    return GroundingDinoSource(folder, label, CheckpointFiles.read(folder_files(folder)))


def _is_complete(folder: Path) -> bool:
    files = {path.name for path in folder_files(folder)}
    return (
        "config.json" in files
        and not files.isdisjoint({"processor_config.json", "preprocessor_config.json"})
        and not files.isdisjoint({"tokenizer.json", "vocab.txt"})
        and any(Path(name).suffix in _WEIGHTS for name in files)
    )


def load_network(source: GroundingDinoSource, device: str, dtype: NumberType) -> GroundingDinoNetwork:
    """Build the model and load its weights.

    Raises:
        GroundingDinoUnusable: the files are damaged, incomplete, or changed since ``source`` was found.
    """
    import torch
    from transformers import GroundingDinoForObjectDetection, GroundingDinoProcessor

    if device == "cpu":
        # One thread an operation, see lifeloom.models.efficientnet; passes run side by side instead.
        torch.set_num_threads(1)
    try:
        processor = GroundingDinoProcessor.from_pretrained(source.folder, local_files_only=True)
        model, about = GroundingDinoForObjectDetection.from_pretrained(
            source.folder, dtype=getattr(torch, dtype), local_files_only=True, output_loading_info=True
        )
    except Exception as error:  # cut files, configurations it cannot build: many types
        raise GroundingDinoUnusable(f"{source.folder} cannot be loaded ({error}): fetch or train it again") from error
    # transformers fills what is missing with random numbers and only logs it.
    learnt = {name for name, _ in model.named_parameters()}
    if lacking := sorted(learnt.intersection(about["missing_keys"])):
        raise GroundingDinoUnusable(
            f"{source.folder}: the weights lack {len(lacking)} of the model's tensors ({', '.join(lacking[:3])}): "
            "fetch or train it again"
        )
    tokenizer = processor.tokenizer
    marks = {tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.convert_tokens_to_ids(".")}
    if not marks <= set(model.model.special_tokens.tolist()):
        raise GroundingDinoUnusable(
            f"{source.folder}: the tokenizer is not the one that the model was trained with: fetch its files again"
        )
    if not source.files.unchanged():
        raise GroundingDinoUnusable(f"the files in {source.folder} changed after they were first read: start again")
    model = model.to(device).eval()
    window = min(model.config.max_text_len, tokenizer.model_max_length)
    return GroundingDinoNetwork(model, processor.image_processor, tokenizer, window, device)


def package_version() -> str:
    """Return the version of the package.

    Raises:
        GroundingDinoUnusable: it is not installed.
    """
    try:
        return version("transformers")
    except PackageNotFoundError as error:
        raise GroundingDinoUnusable("install the package transformers") from error
