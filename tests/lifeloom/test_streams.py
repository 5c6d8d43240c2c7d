import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from lifeloom.streams import Streams, stable_hash


def test_the_same_seed_and_name_start_the_same_sequence():
    first = Streams(7).rng("dialogues", "p-001")
    second = Streams(7).rng("dialogues", "p-001")

    assert [first.random() for _ in range(5)] == [second.random() for _ in range(5)]


def test_other_seeds_and_names_start_other_sequences():
    starts = {
        Streams(7).rng("dialogues", "p-001").random(),
        Streams(8).rng("dialogues", "p-001").random(),
        Streams(7).rng("dialogues", "p-002").random(),
        Streams(7).rng("plans", "p-001").random(),
        Streams(7).rng("dialogues").random(),
    }

    assert len(starts) == 5


def test_drawing_from_one_stream_does_not_move_another():
    streams = Streams(7)
    expected = streams.rng("b").random()

    busy = streams.rng("a")
    for _ in range(100):
        busy.random()

    assert streams.rng("b").random() == expected


def test_parts_do_not_run_together():
    assert stable_hash("ab", "c") != stable_hash("a", "bc")
    assert stable_hash(1, 23) != stable_hash(12, 3)


def test_a_stream_is_the_same_in_every_process_whatever_its_hash_seed():
    program = (
        "from lifeloom.streams import Streams, stable_hash; print(stable_hash('é', 3), Streams(5).rng('x').random())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout
        for seed in ("0", "1", "4711")
    }

    assert outputs == {f"{stable_hash('é', 3)} {Streams(5).rng('x').random()}\n"}


@given(st.integers(), st.text(alphabet=st.characters()))
def test_numpy_seeds_fit_32_bits_and_any_text_is_a_name(seed, name):
    assert 0 <= Streams(seed).numpy_seed(name) < 2**32
