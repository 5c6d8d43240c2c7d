"""Tests of lifeloom.models.grounding_dino, grounding_labels and grounding_weights."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace

import numpy as np
import pytest

from lifeloom.models.checkpoints import NotOnHub
from lifeloom.models.grounding_dino import DEFAULT_LABELS, GroundingDinoDetector, GroundingDinoUnusable, LabelUnusable
from lifeloom.models.grounding_labels import prompts
from lifeloom.models.protocol import Detection, Detector
from tests.tiny_vision import GROUNDING_DINO_QUERIES, hub_cache, picture, tiny_grounding_dino

LABELS = {"cat": "animal", "red car": "object", "blue car": "object", "person": "person"}
LANDSCAPE, PORTRAIT = picture(1, (90, 48)), picture(2, (48, 90))
PICTURES = [
    LANDSCAPE,
    PORTRAIT,
    picture(3, (90, 48)),
    picture(4, (300, 40)),
    picture(5, (16, 16)),
    picture(6, (90, 48)),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_grounding_dino(tmp_path_factory.mktemp("dino") / "tiny-dino")


@pytest.fixture(scope="module")
def detector(folder):
    return at(folder)


@pytest.fixture
def own_folder(folder, tmp_path):
    """A copy that a test may change."""
    return shutil.copytree(folder, tmp_path / "tiny-dino")


def at(folder, **options):
    return GroundingDinoDetector(
        str(folder), **{"labels": LABELS, "box_threshold": 0.4, "text_threshold": 0.2, **options}
    )


def network_that_says(monkeypatch, logits, boxes):
    """Let every picture get the same ``logits``, (queries, tokens), and ``boxes``, (queries, 4)."""
    import torch
    from transformers import GroundingDinoForObjectDetection

    padded = torch.full((len(logits), 256), float("-inf"))
    padded[:, : len(logits[0])] = torch.tensor(logits)

    def forward(self, pixel_values, input_ids, **_):
        batch = len(pixel_values)
        return SimpleNamespace(
            logits=padded.expand(batch, -1, -1), pred_boxes=torch.tensor(boxes).expand(batch, -1, -1)
        )

    monkeypatch.setattr(GroundingDinoForObjectDetection, "forward", forward)


def test_it_is_a_detector_that_names_checkpoint_thresholds_and_labels(detector, folder):
    assert isinstance(detector, Detector)
    assert detector.identity.backend == "grounding_dino"
    assert detector.identity.model.startswith("tiny-dino@")
    assert "/float32-cpu-1/box-0.4-text-0.2/labels-" in detector.identity.model
    others = [at(folder, labels={**LABELS, "cat": "object"}), at(folder, box_threshold=0.5), at(folder, batch=2)]
    assert len({one.identity for one in (detector, *others)}) == 4


def test_no_pictures_and_no_labels_find_nothing(detector):
    assert detector.detect([]) == []
    assert detector.detect_labels([LANDSCAPE, PORTRAIT], []) == [(), ()]


def test_threshold_zero_gives_every_query_and_one_gives_none(folder):
    everything = at(folder, box_threshold=0, text_threshold=0).detect([LANDSCAPE])
    assert len(everything[0]) == GROUNDING_DINO_QUERIES
    assert at(folder, box_threshold=1, text_threshold=1).detect([LANDSCAPE]) == [()]


def test_boxes_lie_within_the_picture_as_given_and_come_best_first(folder):
    found = at(folder, box_threshold=0, text_threshold=0).detect(PICTURES)
    for detections, one in zip(found, PICTURES, strict=True):
        assert detections
        for detection in detections:
            left, top, right, bottom = detection.box
            assert 0 <= left < right <= one.width
            assert 0 <= top < bottom <= one.height
            assert LABELS[detection.label] == detection.kind
        scores = [detection.score for detection in detections]
        assert scores == sorted(scores, reverse=True)
    furthest = max(detection.box[2] for detection in found[0])
    assert furthest > 48  # in pixels of the picture, neither in shares nor of the scaled one
    assert len({detection.label for detections in found for detection in detections}) > 1


@pytest.mark.parametrize("one", [LANDSCAPE, PORTRAIT], ids=["landscape", "portrait"])
def test_boxes_scores_and_labels_agree_with_the_post_processing_of_transformers(detector, folder, one):
    import torch
    from transformers import GroundingDinoForObjectDetection, GroundingDinoProcessor

    processor = GroundingDinoProcessor.from_pretrained(folder)
    network = GroundingDinoForObjectDetection.from_pretrained(folder).eval()
    inputs = processor(images=one, text=[list(LABELS)], return_tensors="pt")
    with torch.inference_mode():
        outputs = network(**inputs)
    said = processor.post_process_grounded_object_detection(
        outputs, inputs["input_ids"], threshold=0.4, text_threshold=0.2, target_sizes=[(one.height, one.width)]
    )[0]
    theirs = sorted(
        zip(said["scores"].tolist(), said["boxes"].tolist(), said["text_labels"], strict=True), reverse=True
    )
    ours = detector.detect([one])[0]
    assert len(theirs) == len(ours) > 3
    for (score, box, text), detection in zip(theirs, ours, strict=True):
        assert detection.score == pytest.approx(score, abs=1e-6)
        assert detection.box == pytest.approx(np.clip(box, 0, [one.width, one.height] * 2).tolist(), abs=1e-3)
        assert set(detection.label.split()) & set(text.replace(".", " ").split())


def test_the_line_asked_is_that_of_the_processor(folder):
    from transformers import GroundingDinoProcessor

    processor = GroundingDinoProcessor.from_pretrained(folder)
    theirs = processor.tokenizer(processor._preprocess_input_text(["Red  car", "treehouse", "zebra"]))["input_ids"]
    (ours,) = prompts(["Red  car", "treehouse", "zebra"], processor.tokenizer, 256)
    assert list(ours.tokens) == theirs


def test_logits_and_boxes_become_the_pixels_and_labels_worked_out_by_hand(folder, monkeypatch):
    # Places: 0 [CLS], 1 cat, 2 stop, 3 red, 4 car, 5 stop, 6 blue, 7 car, 8 stop, 9 person, 10 stop, 11 [SEP].
    low = -9.0
    logits = [[low] * 12 for _ in range(6)]
    logits[0][4] = 0.0  # 0.5: the car of "red car"
    logits[1][7], logits[1][4] = 1.0, 0.9  # 0.731: "blue car" by a little
    logits[2][9] = -0.41  # 0.399, under the box threshold
    logits[3][0] = 3.0  # 0.953, but for [CLS], which is no label
    logits[4][2], logits[4][1] = 2.0, -1.3  # 0.881 for a stop, and 0.214 for the cat, over the text threshold
    logits[5][5], logits[5][9] = 2.0, -1.5  # 0.881 for a stop, and 0.182 for the person, under it
    boxes = [[0.5, 0.5, 0.2, 0.4], [0.9, 0.1, 0.4, 0.4], *[[0.25, 0.75, 0.1, 0.1]] * 4]
    network_that_says(monkeypatch, logits, boxes)
    detector = at(folder)
    wide, tall = detector.detect([LANDSCAPE, PORTRAIT])  # 90 x 48 and 48 x 90
    assert [(one.label, one.kind) for one in wide] == [("cat", "animal"), ("blue car", "object"), ("red car", "object")]
    assert [one.score for one in wide] == pytest.approx([0.880797, 0.731059, 0.5], abs=1e-6)
    assert wide[0].box == pytest.approx((18.0, 33.6, 27.0, 38.4), abs=1e-4)
    assert wide[1].box == pytest.approx((63.0, 0.0, 90.0, 14.4), abs=1e-4)  # clipped at the top and the right
    assert wide[2].box == pytest.approx((36.0, 14.4, 54.0, 33.6), abs=1e-4)
    assert tall[2].box == pytest.approx((19.2, 27.0, 28.8, 63.0), abs=1e-4)
    assert detector.unmapped_boxes == 4  # [CLS] and the person, in both


def test_of_a_very_long_picture_boxes_are_still_its_pixels(folder, monkeypatch):
    # 800 x 10 is shown with a border below, as 800 x 50.
    network_that_says(monkeypatch, [[-9.0, 2.0], [-9.0, 1.0]], [[0.5, 0.1, 0.5, 0.1], [0.5, 0.9, 0.5, 0.1]])
    (found,) = at(folder).detect([picture(1, (800, 10))])
    assert [one.box for one in found] == [pytest.approx((200.0, 2.5, 600.0, 7.5), abs=1e-3)]  # the other is all border


@pytest.mark.parametrize("size", [(900, 2), (2, 900), (1, 1)])
def test_pictures_of_any_shape_go_through_the_network(folder, size):
    found = at(folder, box_threshold=0, text_threshold=0).detect([picture(1, size)])[0]
    assert all(one.box[2] <= size[0] and one.box[3] <= size[1] for one in found)


def test_a_picture_finds_the_same_alone_and_in_any_company(folder):
    together = at(folder).detect(PICTURES)
    assert sum(map(len, together)) > 20
    alone = at(folder)
    assert [alone.detect([one])[0] for one in reversed(PICTURES)][::-1] == together
    in_threes = at(folder, batch=3).detect(PICTURES)
    for one, other in zip(in_threes, together, strict=True):
        assert [find.label for find in one] == [find.label for find in other]
        np.testing.assert_allclose([find.box for find in one], [find.box for find in other], atol=1e-3)


def test_what_was_found_is_found_again_without_the_network(folder, tmp_path, monkeypatch):
    path = tmp_path / "deep" / "found.sqlite"
    first = at(folder, cache_path=path)
    found = first.detect(PICTURES)
    assert first.detect([PICTURES[0].copy(), PICTURES[1].convert("RGBA")]) == found[:2]
    assert first.detected_pictures == len(PICTURES)
    first.close()
    monkeypatch.setattr("lifeloom.models.grounding_dino.load_network", lambda *_: pytest.fail("loaded"))
    second = at(folder, cache_path=path)
    assert second.detect(PICTURES) == found
    assert second.detected_pictures == 0
    # Kinds are no matter of the network.
    assert {
        one.kind for one in at(folder, cache_path=path, labels=dict.fromkeys(LABELS, "object")).detect(PICTURES)[0]
    } == {"object"}


def test_other_labels_or_thresholds_never_read_what_was_found_for_these(folder, tmp_path):
    path = tmp_path / "found.sqlite"
    at(folder, cache_path=path).detect([LANDSCAPE])
    for other in (
        at(folder, cache_path=path, labels={"cat": "animal"}),
        at(folder, cache_path=path, box_threshold=0.5),
    ):
        other.detect([LANDSCAPE])
        assert other.detected_pictures == 1


def test_a_torn_row_of_the_cache_is_made_again(folder, tmp_path):
    path = tmp_path / "found.sqlite"
    first = at(folder, cache_path=path)
    found = first.detect([LANDSCAPE])
    first.close()
    for cut in (24, 7, 0):
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE entries SET value = substr(value, 1, ?)", [cut])
        connection.close()
        again = at(folder, cache_path=path)
        assert again.detect([LANDSCAPE]) == found
        assert again.detected_pictures == 1
        again.close()


def test_a_checkpoint_trained_further_never_reads_what_the_old_one_found(own_folder, tmp_path):
    path = tmp_path / "found.sqlite"
    old = at(own_folder, cache_path=path)
    before = old.detect([LANDSCAPE])
    tiny_grounding_dino(own_folder, seed=1)
    new = at(own_folder, cache_path=path)
    assert new.identity != old.identity
    assert new.detect([LANDSCAPE]) != before
    assert new.detected_pictures == 1
    assert at(own_folder, cache_path=path).detect([LANDSCAPE]) == new.detect([LANDSCAPE])


def test_threads_that_want_the_same_picture_look_once(folder):
    detector = at(folder)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: detector.detect([LANDSCAPE]), range(8)))
    assert all(results[0] == other for other in results)
    assert detector.detected_pictures == 1


def test_labels_of_the_moment_have_the_kind_they_were_given_or_are_objects(folder, monkeypatch):
    # Places: 0 [CLS], 1 person, 2 stop, 3 m, 4 ##r, 5 cat, 6 stop, 7 [SEP].
    network_that_says(
        monkeypatch, [[-9, 2.0, -9, -9, -9, -9, -9, -9], [-9, -9, -9, -9, -9, 1.0, -9, -9]], [[0.5, 0.5, 0.5, 0.5]] * 2
    )
    detector = at(folder)
    (found,) = detector.detect_labels([LANDSCAPE], ["person", "Mr. Cat?"])
    assert [(one.label, one.kind) for one in found] == [("person", "person"), ("Mr. Cat?", "object")]
    (found,) = detector.detect_labels([LANDSCAPE], {"person": "animal", "Mr. Cat?": "person"})
    assert [(one.label, one.kind) for one in found] == [("person", "animal"), ("Mr. Cat?", "person")]
    assert detector.detected_pictures == 1


def test_labels_that_do_not_fit_one_pass_are_asked_for_in_several_and_put_together(folder):
    names = [f"word{'abcdefghij'[number % 10] * (1 + number // 10)}" for number in range(80)]
    detector = at(folder, box_threshold=0, text_threshold=0)
    lines = prompts(names, detector._loaded().tokenizer, 256)
    assert len(lines) > 2
    assert all(len(line.tokens) <= 256 for line in lines)
    assert [number for line in lines for number, _, _ in line.spans] == list(range(80))
    (all_at_once,) = detector.detect_labels([LANDSCAPE], names)
    in_parts = [
        one
        for line in lines
        for one in detector.detect_labels([LANDSCAPE], [names[number] for number, _, _ in line.spans])[0]
    ]
    assert len(all_at_once) == GROUNDING_DINO_QUERIES * len(lines)
    assert sorted(all_at_once, key=by_score) == sorted(in_parts, key=by_score)
    assert [one.score for one in all_at_once] == sorted((one.score for one in in_parts), reverse=True)


def by_score(one: Detection):
    return one.score, one.box, one.label


def test_labels_of_the_same_words_are_asked_for_once(folder):
    tokenizer = at(folder)._loaded().tokenizer
    (line,) = prompts(["Red car.", "red  CAR", "cat"], tokenizer, 256)
    assert [number for number, _, _ in line.spans] == [0, 2]


def test_labels_that_cannot_be_asked_for_are_refused_by_name(detector):
    for label, message in ((" . ?", "no word"), ("🐱", "no word"), ("cat " * 300, "300 tokens, the model reads 253")):
        with pytest.raises(LabelUnusable, match=message) as refused:
            detector.detect_labels([LANDSCAPE], ["cat", label])
        assert refused.value.label == label
    assert detector.detect_labels([LANDSCAPE], ["half \ud800 a pair"])


def test_the_labels_it_comes_with_fit_one_pass_in_the_vocabulary_of_bert():
    from transformers import AutoTokenizer

    from lifeloom.models.tokens import model_folder

    bert = AutoTokenizer.from_pretrained(model_folder(), local_files_only=True)  # MiniLM has the same vocabulary
    (line,) = prompts(list(DEFAULT_LABELS), bert, 256)
    assert line.tokens.count(1012) == len(DEFAULT_LABELS)
    assert set(DEFAULT_LABELS.values()) == {"person", "animal", "object"}


def test_check_says_who_answers(detector):
    assert detector.check() == f"grounding_dino {detector.identity.model}: 4 labels in one pass, on cpu"


def test_other_number_types_find_about_the_same(folder, detector):
    (exact,) = detector.detect([LANDSCAPE])
    (rough,) = at(folder, dtype="bfloat16").detect([LANDSCAPE])
    assert rough
    assert rough != exact
    assert rough[0].score == pytest.approx(exact[0].score, abs=0.1)


def test_damaged_checkpoints_are_refused_with_what_is_wrong(own_folder):
    from safetensors.torch import load_file, save_file

    weights, config = own_folder / "model.safetensors", own_folder / "config.json"
    whole = weights.read_bytes()
    weights.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(GroundingDinoUnusable, match="cannot be loaded"):
        at(own_folder).check()
    weights.write_bytes(whole)
    tensors = load_file(weights)
    del tensors["model.encoder.layers.0.fusion_layer.vision_param"]
    save_file(tensors, weights, metadata={"format": "pt"})
    with pytest.raises(GroundingDinoUnusable, match=r"lack 1 of the model's tensors.*vision_param"):
        at(own_folder).check()
    config.write_text(json.dumps({"model_type": "bert"}))
    with pytest.raises(GroundingDinoUnusable, match="a model of type 'bert'"):
        at(own_folder).check()
    config.write_text("[")
    with pytest.raises(GroundingDinoUnusable, match="no configuration"):
        at(own_folder).check()
    weights.unlink()
    with pytest.raises(GroundingDinoUnusable, match=r"there is config\.json, processor_config\.json"):
        at(own_folder).check()


def test_a_tokenizer_of_another_model_is_refused(own_folder):
    from transformers import BertTokenizer

    BertTokenizer().save_pretrained(own_folder)
    with pytest.raises(GroundingDinoUnusable, match="tokenizer is not the one"):
        at(own_folder).check()


def test_a_network_that_gives_no_numbers_is_refused_and_nothing_of_it_is_kept(folder, monkeypatch, tmp_path):
    network_that_says(monkeypatch, [[float("nan"), 0.0]], [[0.5, 0.5, 0.5, 0.5]])
    detector = at(folder, cache_path=tmp_path / "found.sqlite")
    for _ in range(2):
        with pytest.raises(GroundingDinoUnusable, match="gives no numbers; set dtype to 'float32'"):
            detector.detect([LANDSCAPE])


def test_weights_that_change_before_they_are_loaded_are_noticed(own_folder):
    detector = at(own_folder)
    assert detector.identity
    tiny_grounding_dino(own_folder, seed=1)
    with pytest.raises(GroundingDinoUnusable, match="changed after they were first read"):
        detector.detect([LANDSCAPE])


def test_a_checkpoint_in_the_cache_of_the_hub_needs_no_network(folder, detector, tmp_path, monkeypatch):
    hub_cache(tmp_path, monkeypatch, {"owner/name": folder})
    from_hub = at("owner/name")
    assert from_hub.identity.model.startswith("owner/name@")
    assert from_hub.detect([LANDSCAPE]) == detector.detect([LANDSCAPE])
    with pytest.raises(NotOnHub, match=r"owner/other.*HF_HUB_OFFLINE=0"):
        at("owner/other").check()


def test_half_a_checkpoint_in_the_cache_of_the_hub_is_not_taken_for_one(own_folder, tmp_path, monkeypatch):
    (own_folder / "model.safetensors").unlink()
    hub_cache(tmp_path / "hub", monkeypatch, {"owner/name": own_folder})
    with pytest.raises(GroundingDinoUnusable, match=r"there is config\.json.*HF_HUB_OFFLINE=0"):
        at("owner/name").check()


def test_a_missing_package_is_named(folder, monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("lifeloom.models.grounding_weights.version", missing)
    with pytest.raises(GroundingDinoUnusable, match="install the package transformers"):
        at(folder).check()


def test_arguments_that_mean_nothing_are_refused_at_once():
    for wrong in ({"labels": {}}, {"box_threshold": 1.5}, {"text_threshold": -1}, {"batch": 0}, {"dtype": "int8"}):
        with pytest.raises(ValueError, match=r"labels says|lie in|batch is|dtype is"):
            at("somewhere", **wrong)
    with pytest.raises(ValueError, match="checkpoint is"):
        at("")


def test_importing_and_constructing_loads_neither_torch_nor_transformers():
    code = (
        "import sys; from lifeloom.models.grounding_dino import GroundingDinoDetector; GroundingDinoDetector('x'); "
        "print('torch' in sys.modules, 'transformers' in sys.modules, 'PIL' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False False\n"
