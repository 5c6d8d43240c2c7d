"""Where checkpoints are found, and digests that change whenever answers may change."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from lifeloom.models.checkpoints import NotOnHub
from lifeloom.models.huggingface import HuggingFaceWire, checkpoints
from lifeloom.models.huggingface.checkpoints import content_digest, find_checkpoint
from lifeloom.models.protocol import InstallationBroken
from tests.hub_server import HubServer
from tests.huggingface_questions import ask
from tests.tiny_models import save_text_model


@pytest.fixture
def copied(text_model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(text_model, tmp_path / "copied"))


@pytest.fixture
def no_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A hub that nobody answers at, and an empty cache of it; returns the cache."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    return tmp_path / "hub"


# --- digests


def test_the_same_files_elsewhere_and_later_are_the_same_model(text_model: Path, copied: Path) -> None:
    for path in copied.iterdir():
        os.utime(path, (1, 1))

    assert content_digest(copied) == content_digest(text_model)
    assert len(content_digest(copied)) == 12


def test_a_checkpoint_trained_further_in_the_same_folder_is_another_model(copied: Path) -> None:
    before = HuggingFaceWire(str(copied)).identity
    save_text_model(copied, seed=1)

    after = HuggingFaceWire(str(copied)).identity

    assert before.model.startswith(f"{copied}@")
    assert after.model.startswith(f"{copied}@")
    assert before != after


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja"])
def test_configuration_and_template_count_too(copied: Path, name: str) -> None:
    before = content_digest(copied)
    with (copied / name).open("a") as file:
        file.write(" ")

    assert content_digest(copied) != before


def test_what_training_leaves_beside_the_model_does_not_count(copied: Path) -> None:
    before = content_digest(copied)
    (copied / "trainer_state.json").write_text("{}")
    (copied / "optimizer.pt").write_bytes(b"state")

    assert content_digest(copied) == before


def test_large_weights_are_read_in_the_middle_of_every_tensor(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from safetensors.torch import load_file, save_file

    monkeypatch.setattr(checkpoints, "_WHOLE", 1000)
    file = copied / "model.safetensors"
    tensors = load_file(file)
    digests = {content_digest(copied)}
    some = list(tensors)[::4]
    for name in some:
        changed = dict(tensors)
        changed[name] = tensors[name] * 1.01
        save_file(changed, file, metadata={"format": "pt"})
        digests.add(content_digest(copied))

    assert len(digests) == len(some) + 1


def test_large_weights_of_other_formats_are_read_all_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "_WHOLE", 1000)
    file = tmp_path / "model.gguf"
    file.write_bytes(bytes(100_000))
    before = content_digest(tmp_path, "model.gguf")
    file.write_bytes(bytes(50_000) + b"\1" * 5000 + bytes(45_000))

    assert content_digest(tmp_path, "model.gguf") != before


def test_a_broken_safetensors_file_still_has_a_digest(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "_WHOLE", 1000)
    (copied / "model.safetensors").write_bytes(b"\xff" * 5000)

    assert content_digest(copied)


def test_another_adapter_is_another_model(text_model: Path, text_adapter: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(text_adapter, tmp_path / "other"))
    weights = bytearray((other / "adapter_model.safetensors").read_bytes())
    weights[-1] ^= 1
    (other / "adapter_model.safetensors").write_bytes(weights)

    names = [HuggingFaceWire(str(text_model), adapter=str(path)).identity.model for path in (text_adapter, other)]

    assert len({name.rpartition("@")[2] for name in names}) == 2


# --- what is found, and what is said of the rest


def test_a_package_that_carries_weights_is_found_without_being_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "carries_weights"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('run')")
    (package / "small.gguf").write_bytes(b"GGUF")
    monkeypatch.syspath_prepend(str(tmp_path))

    found = find_checkpoint("package:carries_weights")

    assert (found.folder, found.gguf) == (package, "small.gguf")
    assert "carries_weights" not in sys.modules


def test_a_gguf_file_is_found_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "one.gguf").write_bytes(b"GGUF")
    (tmp_path / "two.gguf").write_bytes(b"GGUF")

    found = find_checkpoint(str(tmp_path / "two.gguf"))

    assert (found.folder, found.gguf) == (tmp_path, "two.gguf")
    with pytest.raises(InstallationBroken, match=r"2 \.gguf files"):
        find_checkpoint(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("package:no_such_package", "not installed"),
        ("/no/such/folder", "there is no folder or file"),
        ("./here/or/there", "there is no folder or file"),
        ("missing.gguf", "there is no folder or file"),
        ("a" * 5000, r"a{200}\.\.\. \(5000 characters\) is too long"),
        ("~nobody-of-this-name/model", "there is no folder ~nobody-of-this-name/model"),
        ("package:" + "a" * 5000, "not installed"),
    ],
)
def test_what_is_nowhere_is_said_without_asking_the_hub(name: str, said: str, no_hub: Path) -> None:
    with pytest.raises(InstallationBroken, match=said):
        find_checkpoint(name)


def test_an_adapter_is_no_model_and_a_model_no_adapter(text_model: Path, text_adapter: Path) -> None:
    with pytest.raises(InstallationBroken, match="holds an adapter only"):
        find_checkpoint(str(text_adapter))
    with pytest.raises(InstallationBroken, match="is no adapter"):
        find_checkpoint(str(text_model), adapter=True)


def test_a_hub_that_cannot_be_reached_is_said_with_what_to_do(no_hub: Path) -> None:
    with pytest.raises(NotOnHub, match=r"no folder on this machine and cannot be had from the hub.*HF_HUB_OFFLINE=0"):
        find_checkpoint("some-lab/some-model")


def test_a_model_of_the_hub_is_downloaded_when_it_is_first_asked_and_only_then(
    no_hub: Path, copied: Path, text_adapter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    (copied / "optimizer.pt").write_bytes(b"not wanted")
    with HubServer("some-lab/some-model", copied) as hub:
        monkeypatch.setattr(constants, "ENDPOINT", hub.url)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub.url + "/{repo_id}/resolve/{revision}/{filename}"
        )
        first = HuggingFaceWire("some-lab/some-model", device="cpu")
        assert first.identity.model == f"some-lab/some-model@{hub.commit[:12]}"
        assert not any("resolve" in path for path in hub.requests)

        answer = ask(first, "tea")

        assert any("model.safetensors" in path for path in hub.requests)
        assert not any("optimizer" in path for path in hub.requests)
        assert ask(HuggingFaceWire("some-lab/some-model", adapter=str(text_adapter), device="cpu"), "tea") != answer
        with pytest.raises(NotOnHub, match="some-lab/other"):
            find_checkpoint("some-lab/other")
        asked = len(hub.requests)
        again = HuggingFaceWire("some-lab/some-model", device="cpu")
        assert (ask(again, "tea"), again.identity) == (answer, first.identity)
        assert len(hub.requests) == asked  # its cache on this machine goes first


def test_what_was_downloaded_once_works_without_the_hub(no_hub: Path, text_model: Path) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    repository = no_hub / "models--some-lab--some-model"
    shutil.copytree(text_model, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)

    wire = HuggingFaceWire("some-lab/some-model", device="cpu")

    assert wire.identity.model == "some-lab/some-model@0123456789ab"
    assert ask(wire, "tea") == ask(HuggingFaceWire(str(text_model), device="cpu"), "tea")
    (repository / "snapshots" / commit / "model.safetensors").unlink()
    with pytest.raises(NotOnHub):  # half a download is none
        find_checkpoint("some-lab/some-model")


# --- what cannot be loaded


def test_a_checkpoint_without_some_of_its_weights_is_refused(copied: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(copied / "model.safetensors")
    del tensors["model.layers.1.mlp.up_proj.weight"]
    save_file(tensors, copied / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(InstallationBroken, match=r"incomplete: 1 missing weights.*up_proj"):
        ask(HuggingFaceWire(str(copied), device="cpu"), "tea")


def test_a_damaged_checkpoint_is_refused_with_its_name(copied: Path) -> None:
    (copied / "model.safetensors").write_bytes(b"\xff" * 5000)

    with pytest.raises(InstallationBroken, match="copied cannot be loaded"):
        ask(HuggingFaceWire(str(copied), device="cpu"), "tea")


def test_an_adapter_of_another_model_is_refused(text_model: Path, text_adapter: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    foreign = Path(shutil.copytree(text_adapter, tmp_path / "foreign"))
    tensors = load_file(foreign / "adapter_model.safetensors")
    renamed = {name.replace("model.layers", "model.language.layers"): value for name, value in tensors.items()}
    save_file(renamed, foreign / "adapter_model.safetensors")

    with pytest.raises(InstallationBroken, match=r"does not fit the model: it lacks \d+ weights"):
        ask(HuggingFaceWire(str(text_model), adapter=str(foreign), device="cpu"), "tea")


def test_an_adapter_of_a_deeper_model_is_refused(text_model: Path, text_adapter: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    deeper = Path(shutil.copytree(text_adapter, tmp_path / "deeper"))
    tensors = load_file(deeper / "adapter_model.safetensors")
    more = {name.replace("layers.1.", "layers.7."): value.clone() for name, value in tensors.items()}
    save_file({**tensors, **more}, deeper / "adapter_model.safetensors")

    with pytest.raises(InstallationBroken, match=r"has 6 weights that the model has no place for.*layers\.7"):
        ask(HuggingFaceWire(str(text_model), adapter=str(deeper), device="cpu"), "tea")


def test_an_adapter_of_a_wider_model_is_refused(text_model: Path, text_adapter: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    wider = Path(shutil.copytree(text_adapter, tmp_path / "wider"))
    tensors = load_file(wider / "adapter_model.safetensors")
    doubled = {name: value.repeat(1, 2) if "lora_A" in name else value for name, value in tensors.items()}
    save_file(doubled, wider / "adapter_model.safetensors")

    with pytest.raises(InstallationBroken, match="cannot be loaded"):
        ask(HuggingFaceWire(str(text_model), adapter=str(wider), device="cpu"), "tea")


def test_a_checkpoint_that_changes_before_it_is_loaded_does_not_answer_under_its_old_name(copied: Path) -> None:
    wire = HuggingFaceWire(str(copied), device="cpu")
    before = wire.identity
    save_text_model(copied, seed=1)

    for _ in range(2):
        with pytest.raises(InstallationBroken, match="have changed since it was made"):
            ask(wire, "tea")
    assert HuggingFaceWire(str(copied), device="cpu").identity != before


def test_files_that_change_after_loading_change_no_answer(copied: Path, text_model: Path, tmp_path: Path) -> None:
    trained = save_text_model(tmp_path / "trained", seed=1)
    wire, other = (HuggingFaceWire(str(folder), device="cpu") for folder in (copied, trained))
    before = ask(wire, "tea")

    shutil.copyfile(trained / "model.safetensors", copied / "model.safetensors")  # into the same file, as a save does

    assert ask(wire, "tea") == before != ask(other, "tea")


def test_what_cannot_be_loaded_is_not_loaded_again_for_every_question(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lifeloom.models.huggingface import wire as wire_module

    loads = []
    original = wire_module.load
    monkeypatch.setattr(wire_module, "load", lambda *args, **keywords: loads.append(1) or original(*args, **keywords))
    (copied / "model.safetensors").write_bytes(b"broken")
    wire = HuggingFaceWire(str(copied), device="cpu")

    for _ in range(3):
        with pytest.raises(InstallationBroken, match="copied cannot be loaded"):
            ask(wire, "tea")
    assert loads == [1]


def test_weights_as_pickle_are_not_opened(copied: Path, text_model: Path, text_adapter: Path, tmp_path: Path) -> None:
    (copied / "model.safetensors").rename(copied / "pytorch_model.bin")
    adapter = Path(shutil.copytree(text_adapter, tmp_path / "adapter"))
    (adapter / "adapter_model.safetensors").rename(adapter / "adapter_model.bin")

    with pytest.raises(InstallationBroken, match="safetensors"):
        ask(HuggingFaceWire(str(copied), device="cpu"), "tea")
    with pytest.raises(InstallationBroken, match=r"has no adapter_model\.safetensors"):
        ask(HuggingFaceWire(str(text_model), adapter=str(adapter), device="cpu"), "tea")


def test_code_in_a_checkpoint_is_neither_run_nor_asked_about(copied: Path, tmp_path: Path) -> None:
    config = json.loads((copied / "config.json").read_text())
    custom = {"auto_map": {"AutoConfig": "own.OwnConfig", "AutoModelForCausalLM": "own.Own"}, "model_type": "own"}
    (copied / "config.json").write_text(json.dumps({**config, **custom}))
    (copied / "own.py").write_text(f"open({str(tmp_path / 'run')!r}, 'w')")

    with pytest.raises(InstallationBroken, match="copied cannot be loaded"):
        ask(HuggingFaceWire(str(copied), device="cpu"), "tea")
    assert not (tmp_path / "run").exists()


def test_an_unknown_architecture_is_said(copied: Path) -> None:
    config = json.loads((copied / "config.json").read_text())
    (copied / "config.json").write_text(json.dumps({**config, "model_type": "quantum_parrot"}))

    with pytest.raises(InstallationBroken, match="quantum_parrot"):
        ask(HuggingFaceWire(str(copied), device="cpu"), "tea")


def test_a_device_or_type_that_is_not_there_is_said(text_model: Path) -> None:
    with pytest.raises(InstallationBroken, match="no device cuda:7"):
        ask(HuggingFaceWire(str(text_model), device="cuda:7"), "tea")
    with pytest.raises(InstallationBroken, match="dtype float8"):
        ask(HuggingFaceWire(str(text_model), device="cpu", dtype="float8"), "tea")


def test_the_weights_have_the_type_that_was_asked_for(text_model: Path) -> None:
    import torch

    wire = HuggingFaceWire(str(text_model), device="cpu", dtype="bfloat16")

    assert ask(wire, "tea") is not None
    assert wire._ready().loaded.model.dtype is torch.bfloat16
