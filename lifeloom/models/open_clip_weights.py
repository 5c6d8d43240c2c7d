"""Finding and loading a model that open_clip knows: by name and tag, from the hub, or from a folder."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, ValidationError

from lifeloom.models.checkpoints import CheckpointFiles, NumberType, folder_files, hub_file
from lifeloom.models.protocol import InstallationBroken

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = [
    "OpenClipNetwork",
    "OpenClipSource",
    "OpenClipUnusable",
    "find_model",
    "load_network",
    "load_tokenizer",
    "package_version",
]

_PACKAGE = "open_clip_torch"
_HUB, _FOLDER = "hf-hub:", "local-dir:"
_CONFIG = "open_clip_config.json"
_WEIGHTS = (".safetensors", ".bin", ".pth")
_HUB_WEIGHTS = ("open_clip_model.safetensors", "open_clip_pytorch_model.bin")
_PRECISION = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}
_OF_THE_TAG = ("mean", "std", "interpolation", "resize_mode")


class OpenClipUnusable(InstallationBroken):
    """The package, the model's name, its configuration or its weights are missing or damaged."""


@dataclass(frozen=True)
class OpenClipSource:
    """Where a model comes from."""

    model: str
    """What ``open_clip.create_model`` takes."""
    tokenizer: str
    """What ``open_clip.get_tokenizer`` takes."""
    pretrained: str
    """File of the weights; empty where ``model`` says it."""
    label: str
    """For people and records: no path of this machine."""
    dimensions: int
    files: CheckpointFiles
    tag: dict[str, Any]
    """What open_clip knows about the weights of a tag: how pictures are prepared, which activation."""


@dataclass(frozen=True, eq=False)
class OpenClipNetwork:
    """A loaded model."""

    model: Any
    prepare: Callable[[Image], Any]
    """Gives the tensor, (3, height, width), of a picture."""
    cuts_the_ends: bool
    """Whether ``prepare`` scales the shorter side to the network's square and cuts the rest of the longer one off."""
    input_dtype: Any


class _Text(BaseModel):
    hf_tokenizer_name: str = ""


class _Towers(BaseModel):
    embed_dim: int = Field(gt=0)
    text_cfg: _Text


class _Config(BaseModel):
    """What is needed of ``open_clip_config.json``."""

    model_cfg: _Towers


def find_model(model: str, pretrained: str) -> OpenClipSource:
    """Find what ``OpenClipEncoder`` was asked for, fetching what the hub has and this machine has not.

    Raises:
        CheckpointUnreadable: a file is there but cannot be read.
        NotOnHub: the weights are not here and the hub does not give them.
        OpenClipUnusable: the package, the model or its weights are not there.
    """
    package_version()  # the package first: its absence explains everything else
    is_folder = model.startswith(_FOLDER) or Path(model).is_dir()
    if pretrained and (is_folder or model.startswith(_HUB)):
        raise OpenClipUnusable(f"{model} has weights of its own: leave pretrained ({pretrained!r}) empty")
    if is_folder:
        return _find_in_folder(Path(model.removeprefix(_FOLDER)))
    if model.startswith(_HUB):
        return _find_on_hub(model)
    return _find_by_name(model, pretrained)


def _find_in_folder(folder: Path) -> OpenClipSource:
    files = folder_files(folder) if folder.is_dir() else []
    config = folder / _CONFIG
    if config not in files or not any(path.suffix in _WEIGHTS for path in files):
        raise OpenClipUnusable(
            f"{folder}: a model's folder holds {_CONFIG} and weights (*{', *'.join(_WEIGHTS)}); "
            f"there is {', '.join(sorted(path.name for path in files)) or 'nothing of the kind'}"
        )
    local, towers = f"{_FOLDER}{folder}", _read_config(config)
    return OpenClipSource(local, local, "", folder.resolve().name, towers.embed_dim, CheckpointFiles.read(files), {})


def _find_on_hub(model: str) -> OpenClipSource:
    repository = model.removeprefix(_HUB)
    config = hub_file(repository, [_CONFIG])
    weights = hub_file(repository, _HUB_WEIGHTS)
    towers = _read_config(config)
    # The folder in the hub's cache is laid out like any other, and open_clip asks the hub no more questions about it.
    local = f"{_FOLDER}{config.parent}"
    tokenizer = model if towers.text_cfg.hf_tokenizer_name else local
    files = CheckpointFiles.read([config, weights])
    return OpenClipSource(local, tokenizer, "", repository, towers.embed_dim, files, {})


def _find_by_name(model: str, pretrained: str) -> OpenClipSource:
    import open_clip
    from open_clip.pretrained import get_pretrained_cfg

    name = model.replace("/", "-")  # ViT-L/14 is how the paper writes it
    config = open_clip.get_model_config(name)
    if config is None:
        raise OpenClipUnusable(
            f"open_clip knows no model {model!r} and there is no such folder{_close(name, open_clip.list_models())} "
            f"(a model of the hub is written {_HUB}OWNER/NAME)"
        )
    tag: dict[str, Any] = {}
    if Path(pretrained).is_file():
        path = Path(pretrained)
    else:
        tag = get_pretrained_cfg(name, pretrained) if pretrained else {}
        if not tag:
            tags = open_clip.list_pretrained_tags_by_model(name)
            raise OpenClipUnusable(
                f"open_clip knows no weights {pretrained!r} of {name}: set pretrained to a file or to one of "
                f"{', '.join(tags) or '(none known)'}"
            )
        path = _weights_of_tag(name, pretrained, tag)
    label = f"{name}/{path.name if not tag else pretrained}"
    return OpenClipSource(name, name, str(path), label, int(config["embed_dim"]), CheckpointFiles.read([path]), tag)


def _weights_of_tag(name: str, pretrained: str, tag: dict[str, Any]) -> Path:
    repository, _, file = tag.get("hf_hub", "").rpartition("/")
    if not repository:
        raise OpenClipUnusable(
            f"open_clip does not say where on the hub the weights of {name}/{pretrained} are: fetch "
            f"{tag.get('url', 'them')} and set pretrained to the file"
        )
    return hub_file(repository, [f"{Path(file).stem}.safetensors", file] if file else _HUB_WEIGHTS)


def _read_config(config: Path) -> _Towers:
    try:
        return _Config.model_validate_json(config.read_bytes()).model_cfg
    except (OSError, ValidationError) as error:
        raise OpenClipUnusable(f"{config} is no configuration of an open_clip model: {error}") from error


def load_network(source: OpenClipSource, device: str, dtype: NumberType) -> OpenClipNetwork:
    """Build the model and load its weights.

    Raises:
        OpenClipUnusable: the weights do not fit the configuration, are damaged, or changed since ``source`` was found.
    """
    import open_clip
    import torch

    if device == "cpu":
        # One thread an operation, see lifeloom.models.efficientnet; passes run side by side instead.
        torch.set_num_threads(1)
    precision = _PRECISION[dtype]
    try:
        model, prepare = open_clip.create_model_from_pretrained(
            source.model,
            source.pretrained or None,
            precision=precision,
            device=device,
            # open_clip only warns where weights were trained with another activation than the name's.
            force_quick_gelu=bool(source.tag.get("quick_gelu")),
            **{f"image_{name}": source.tag[name] for name in _OF_THE_TAG if name in source.tag},
        )
    except Exception as error:  # weights of another shape, cut files, configurations it cannot build: many types
        raise OpenClipUnusable(f"{source.label} cannot be loaded ({error}): fetch or train it again") from error
    if not source.files.unchanged():
        raise OpenClipUnusable(f"the files of {source.label} changed after they were first read: start again")
    model.eval()
    how = model.visual.preprocess_cfg
    return OpenClipNetwork(model, prepare, how["resize_mode"] == "shortest", open_clip.model.get_input_dtype(precision))


def _close(name: str, names: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, names, n=5, cutoff=0.5)
    return f"; close to it: {', '.join(near)}" if near else "; open_clip.list_models() lists the names"


def load_tokenizer(source: OpenClipSource) -> Any:
    """Return what turns a list of texts into rows of token ids, cut and filled up to the model's window.

    Raises:
        OpenClipUnusable: the model has a tokenizer of its own and it is not there.
    """
    import open_clip

    try:
        return open_clip.get_tokenizer(source.tokenizer)
    except Exception as error:  # from the hub, tokenizers, JSON: a dozen types
        raise OpenClipUnusable(
            f"the tokenizer of {source.label} cannot be had ({error}): put its files into the model's folder, or let "
            "this machine reach the hub (HF_HUB_OFFLINE=0)"
        ) from error


def package_version() -> str:
    """Return the version of the package.

    Raises:
        OpenClipUnusable: it is not installed.
    """
    try:
        return version(_PACKAGE)
    except PackageNotFoundError as error:
        raise OpenClipUnusable(f"install the package {_PACKAGE}") from error
