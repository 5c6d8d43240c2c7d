"""Tests of lifeloom.models.open_clip and lifeloom.models.open_clip_weights."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest

from lifeloom.models.checkpoints import NotOnHub
from lifeloom.models.open_clip import OpenClipEncoder, OpenClipUnusable
from lifeloom.models.protocol import ImageEncoder, TextEncoder
from tests.tiny_vision import CLIP_DIMENSIONS, hub_cache, picture, tiny_clip

PICTURES = [*(picture(seed) for seed in range(7)), picture(8, (40, 300)), picture(9, (16, 16))]
TEXTS = ["A dog runs on the beach.", "", "The meeting is at nine.", "word " * 200]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_clip(tmp_path_factory.mktemp("clip") / "tiny-clip")


@pytest.fixture(scope="module")
def encoder(folder):
    return OpenClipEncoder(str(folder))


@pytest.fixture
def own_folder(folder, tmp_path):
    """A copy that a test may change."""
    return shutil.copytree(folder, tmp_path / "tiny-clip")


def test_it_encodes_pictures_and_texts_under_one_identity(encoder):
    assert isinstance(encoder, ImageEncoder)
    assert isinstance(encoder.text_encoder, TextEncoder)
    assert encoder.text_encoder.identity == encoder.identity
    assert encoder.text_encoder.dimensions == encoder.dimensions == CLIP_DIMENSIONS
    assert encoder.identity.backend == "open_clip"
    assert encoder.identity.model.startswith("tiny-clip@")
    assert encoder.identity.model.endswith("/float32-cpu-1")


def test_vectors_are_those_of_open_clip_itself(encoder, folder):
    import open_clip
    import torch

    network, prepare = open_clip.create_model_from_pretrained(f"local-dir:{folder}")
    network.eval()
    tokens = open_clip.get_tokenizer(f"local-dir:{folder}")(TEXTS)
    with torch.inference_mode():
        pictures = network.encode_image(torch.stack([prepare(one) for one in PICTURES]), normalize=True).numpy()
        texts = network.encode_text(tokens, normalize=True).numpy()
    np.testing.assert_allclose(encoder.encode(PICTURES), pictures, atol=2e-6)
    np.testing.assert_allclose(encoder.encode_texts(TEXTS), texts, atol=2e-6)
    np.testing.assert_array_equal(encoder.text_encoder.encode(TEXTS), encoder.encode_texts(TEXTS))


def test_vectors_have_unit_length(encoder):
    for vectors in (encoder.encode(PICTURES), encoder.encode_texts(TEXTS)):
        assert vectors.dtype == np.float32
        assert vectors.shape[1] == CLIP_DIMENSIONS
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_nothing_gives_no_vectors(encoder):
    assert encoder.encode([]).shape == (0, CLIP_DIMENSIONS)
    assert encoder.encode_texts([]).shape == (0, CLIP_DIMENSIONS)


@pytest.mark.parametrize("batch", [None, 4])
def test_pictures_and_texts_have_the_same_bytes_alone_and_in_any_company(folder, batch):
    def fresh():
        return OpenClipEncoder(str(folder), batch=batch)

    pictures, texts = fresh().encode(PICTURES), fresh().encode_texts(TEXTS)
    alone = fresh()
    one_by_one = [alone.encode([one])[0] for one in reversed(PICTURES)][::-1]
    assert np.array_equal(pictures, one_by_one)
    assert np.array_equal(texts, [alone.encode_texts([one])[0] for one in reversed(TEXTS)][::-1])


def test_equal_pixels_and_equal_texts_are_encoded_once(folder):
    encoder = OpenClipEncoder(str(folder))
    vectors = encoder.encode([PICTURES[0], PICTURES[1], PICTURES[0].copy()])
    assert np.array_equal(vectors[0], vectors[2])
    assert np.array_equal(encoder.encode([PICTURES[0].convert("RGBA")])[0], vectors[0])
    texts = encoder.encode_texts(["one", "two", "one"])
    assert np.array_equal(texts[0], texts[2])
    assert np.array_equal(encoder.encode_texts(["two"])[0], texts[1])
    assert (encoder.encoded_pictures, encoder.encoded_texts) == (2, 2)


def test_threads_that_want_the_same_picture_encode_it_once(folder):
    encoder = OpenClipEncoder(str(folder))
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: encoder.encode(PICTURES[:2]), range(8)))
    assert all(np.array_equal(results[0], other) for other in results)
    assert encoder.encoded_pictures == 2


def test_changing_a_returned_vector_does_not_change_the_cache(encoder):
    encoder.encode(PICTURES[:1])[0, :] = 0
    assert np.linalg.norm(encoder.encode(PICTURES[:1])) == pytest.approx(1, abs=1e-5)


def test_a_later_encoder_reads_the_cache_file_bit_for_bit_and_loads_no_network(folder, tmp_path, monkeypatch):
    path = tmp_path / "deep" / "vectors.sqlite"
    first = OpenClipEncoder(str(folder), cache_path=path)
    pictures, texts = first.encode(PICTURES), first.encode_texts(TEXTS)
    first.close()
    monkeypatch.setattr("lifeloom.models.open_clip.load_network", lambda *_: pytest.fail("loaded"))
    second = OpenClipEncoder(str(folder), cache_path=path)
    assert np.array_equal(second.encode(PICTURES), pictures)
    assert np.array_equal(second.encode_texts(TEXTS), texts)
    assert (second.encoded_pictures, second.encoded_texts) == (0, 0)


def test_a_torn_row_of_the_cache_is_made_again(folder, tmp_path):
    path = tmp_path / "vectors.sqlite"
    first = OpenClipEncoder(str(folder), cache_path=path)
    made = first.encode(PICTURES[:3])
    first.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entries SET value = substr(value, 1, 10) WHERE key = (SELECT min(key) FROM entries)")
    connection.close()
    for torn in (1, 0):
        again = OpenClipEncoder(str(folder), cache_path=path)
        assert np.array_equal(again.encode(PICTURES[:3]), made)
        assert again.encoded_pictures == torn
        again.close()


def test_a_folder_trained_further_never_reads_what_the_old_weights_made(own_folder, tmp_path):
    path = tmp_path / "vectors.sqlite"
    old = OpenClipEncoder(str(own_folder), cache_path=path)
    before = old.encode(PICTURES[:1])
    tiny_clip(own_folder, seed=1)
    new = OpenClipEncoder(str(own_folder), cache_path=path)
    assert new.identity != old.identity
    after = new.encode(PICTURES[:1])
    assert new.encoded_pictures == 1
    assert not np.allclose(before, after, atol=1e-3)
    assert not np.array_equal(old.encode(PICTURES[1:2]), new.encode(PICTURES[1:2]))  # old weights, until it is closed
    old.close()
    assert np.array_equal(old.encode(PICTURES[:1]), after)


def test_weights_that_change_before_they_are_loaded_are_noticed(own_folder):
    encoder = OpenClipEncoder(str(own_folder))
    assert encoder.identity
    tiny_clip(own_folder, seed=1)
    with pytest.raises(OpenClipUnusable, match="changed after they were first read"):
        encoder.encode(PICTURES[:1])


def test_another_number_type_has_other_vectors_of_its_own(folder, encoder, tmp_path):
    half = OpenClipEncoder(str(folder), dtype="bfloat16")
    vectors = half.encode(PICTURES)
    assert half.identity != encoder.identity
    assert not np.array_equal(vectors, encoder.encode(PICTURES))
    np.testing.assert_allclose(vectors, encoder.encode(PICTURES), atol=0.03)
    np.testing.assert_allclose(half.encode_texts(TEXTS), encoder.encode_texts(TEXTS), atol=0.03)


def test_texts_are_cut_at_the_window_and_broken_characters_do_no_harm(encoder):
    long, longer = encoder.encode_texts(["word " * 20, "word " * 20 + "and more"])
    assert np.array_equal(long, longer)
    assert np.array_equal(encoder.encode_texts(["half \ud800 a pair"]), encoder.encode_texts(["half ? a pair"]))


def test_of_a_very_long_picture_only_the_middle_is_scaled_up_and_encoded(folder, monkeypatch):
    encoder = OpenClipEncoder(str(folder))
    seen, network = [], encoder._loaded()

    def prepare(one):
        seen.append(one.size)
        return network.prepare(one)

    monkeypatch.setattr(encoder, "_network", replace(network, prepare=prepare))
    long = picture(3, (3000, 3))
    vectors = encoder.encode([long, long.crop((1476, 0, 1524, 3))])
    assert seen == [(48, 3), (48, 3)]
    assert np.array_equal(vectors[0], vectors[1])


def test_all_of_a_long_picture_is_encoded_where_the_model_squeezes_it(tmp_path):
    encoder = OpenClipEncoder(str(tiny_clip(tmp_path / "squash", resize_mode="squash")))
    long = picture(3, (3000, 3))
    vectors = encoder.encode([long, long.crop((1476, 0, 1524, 3))])
    assert not np.allclose(vectors[0], vectors[1], atol=1e-3)


def test_check_says_who_answers(encoder):
    assert encoder.check() == f"open_clip {encoder.identity.model}: {CLIP_DIMENSIONS} dimensions, on cpu"


@pytest.mark.parametrize(
    ("model", "pretrained", "message"),
    [
        ("ViT-L-15", "openai", "close to it: .*ViT-L-14"),
        ("/nowhere/at/all", "", "no such folder"),
        ("ViT-L-14", "", "openai, laion400m_e31"),
        ("ViT-L/14", "opnai", "openai, laion400m_e31"),
        ("local-dir:/nowhere", "", "there is nothing of the kind"),
    ],
)
def test_names_that_nobody_knows_are_refused_with_those_that_are_known(model, pretrained, message):
    with pytest.raises(OpenClipUnusable, match=message):
        OpenClipEncoder(model, pretrained).check()


def test_a_folder_has_weights_of_its_own(folder):
    with pytest.raises(OpenClipUnusable, match=r"leave pretrained \('openai'\) empty"):
        OpenClipEncoder(str(folder), "openai").check()


def test_damaged_folders_are_refused_with_what_is_wrong(own_folder):
    weights = own_folder / "open_clip_model.safetensors"
    whole, config = weights.read_bytes(), own_folder / "open_clip_config.json"
    weights.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(OpenClipUnusable, match=r"tiny-clip cannot be loaded .*fetch or train it again"):
        OpenClipEncoder(str(own_folder)).check()
    weights.write_bytes(whole)
    about = json.loads(config.read_text())
    config.write_text(json.dumps({"model_cfg": {**about["model_cfg"], "embed_dim": 16}}))
    with pytest.raises(OpenClipUnusable, match="cannot be loaded"):
        OpenClipEncoder(str(own_folder)).check()
    config.write_text(json.dumps({"model_cfg": {"embed_dim": "many"}}))
    with pytest.raises(OpenClipUnusable, match="is no configuration of an open_clip model"):
        OpenClipEncoder(str(own_folder)).check()
    weights.unlink()
    with pytest.raises(OpenClipUnusable, match=r"there is open_clip_config\.json"):
        OpenClipEncoder(str(own_folder)).check()


def test_a_network_that_gives_no_numbers_is_refused_and_nothing_of_it_is_kept(own_folder, tmp_path):
    from safetensors.torch import load_file, save_file

    weights = own_folder / "open_clip_model.safetensors"
    tensors = load_file(weights)
    tensors["visual.proj"][:] = float("nan")
    save_file(tensors, weights)
    encoder = OpenClipEncoder(str(own_folder), cache_path=tmp_path / "vectors.sqlite")
    for _ in range(2):
        with pytest.raises(OpenClipUnusable, match="gives no numbers; set dtype to 'float32'"):
            encoder.encode(PICTURES[:1])


def test_a_missing_package_is_named(folder, monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("lifeloom.models.open_clip_weights.version", missing)
    with pytest.raises(OpenClipUnusable, match="install the package open_clip_torch"):
        OpenClipEncoder(str(folder)).check()


def test_what_the_hub_does_not_give_is_refused_with_what_to_do(tmp_path, monkeypatch):
    hub_cache(tmp_path, monkeypatch, {})
    with pytest.raises(NotOnHub, match=r"owner/name.*HF_HUB_OFFLINE=0"):
        OpenClipEncoder("hf-hub:owner/name").check()
    with pytest.raises(NotOnHub, match=r"timm/vit_large_patch14_clip_224\.openai"):
        OpenClipEncoder("ViT-L-14", "openai").check()


def test_a_model_in_the_cache_of_the_hub_needs_no_network(folder, encoder, tmp_path, monkeypatch):
    hub_cache(tmp_path, monkeypatch, {"owner/name": folder})
    from_hub = OpenClipEncoder("hf-hub:owner/name")
    assert from_hub.identity.model.startswith("owner/name@")
    assert np.array_equal(from_hub.encode(PICTURES), encoder.encode(PICTURES))
    assert np.array_equal(from_hub.encode_texts(TEXTS), encoder.encode_texts(TEXTS))


def test_weights_of_a_tag_bring_their_activation_and_preparation(folder, encoder, tmp_path, monkeypatch):
    import open_clip
    import torch
    from safetensors.torch import load_file

    # A name and a tag as open_clip has them, but tiny: the tag's weights were trained with QuickGELU, as OpenAI's were.
    cfg = json.loads((folder / "open_clip_config.json").read_text())["model_cfg"]
    monkeypatch.setitem(open_clip.factory._MODEL_CONFIGS, "ViT-Tiny", cfg)
    how = {"mean": (0.5, 0.4, 0.3), "std": (0.2, 0.3, 0.4), "interpolation": "bilinear", "resize_mode": "squash"}
    tag = {"hf_hub": "owner/name/", "url": "", "quick_gelu": True, **how}
    monkeypatch.setitem(open_clip.pretrained._PRETRAINED, "ViT-Tiny", {"tagged": tag})
    hub_cache(tmp_path, monkeypatch, {"owner/name": folder})
    tagged = OpenClipEncoder("ViT-Tiny", "tagged")
    assert tagged.identity.model.startswith("ViT-Tiny/tagged@")

    network = open_clip.model.CLIP(**cfg, quick_gelu=True)
    network.load_state_dict(load_file(folder / "open_clip_model.safetensors"))
    network.eval()
    prepare = open_clip.transform.image_transform_v2(open_clip.transform.PreprocessCfg(size=32, **how), is_train=False)
    with torch.inference_mode():
        pictures = network.encode_image(torch.stack([prepare(one) for one in PICTURES]), normalize=True).numpy()
    np.testing.assert_allclose(tagged.encode(PICTURES), pictures, atol=2e-6)
    texts = OpenClipEncoder("ViT-Tiny", str(folder / "open_clip_model.safetensors")).encode_texts(TEXTS)
    assert np.array_equal(texts, encoder.encode_texts(TEXTS))  # a file of weights, the name's own activation
    assert not np.allclose(tagged.encode_texts(TEXTS), texts, atol=1e-4)


def test_arguments_that_mean_nothing_are_refused_at_once():
    for wrong in ({"model": ""}, {"model": "ViT-L-14", "batch": 0}, {"model": "ViT-L-14", "dtype": "int8"}):
        with pytest.raises(ValueError, match=r"model is|batch is|dtype is"):
            OpenClipEncoder(**wrong)


def test_importing_and_constructing_loads_neither_torch_nor_open_clip():
    code = (
        "import sys; from lifeloom.models.open_clip import OpenClipEncoder; OpenClipEncoder('ViT-L-14', 'openai'); "
        "print('torch' in sys.modules, 'open_clip' in sys.modules, 'PIL' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False False\n"
