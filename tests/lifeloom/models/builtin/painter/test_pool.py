from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lifeloom.models import ModelUnavailable
from lifeloom.models.builtin.painter import BuiltinPainter, DrawingPool, DrawingWorkerDied
from lifeloom.models.protocol import DrawnPicture, PictureNotDrawn
from lifeloom.records import PicturePlan
from tests.lifeloom.models.builtin.painter.drawing import item, scene


def plans(count: int) -> list[PicturePlan]:
    """Small pictures; every seventh cannot be drawn."""
    made = []
    for number in range(count):
        place = "moon" if number % 7 == 6 else "library"
        plan = scene(item("cat"), place=place, seed=number, size=64)
        made.append(plan.model_copy(update={"picture_id": f"p-{number}"}))
    return made


def told(results: list[DrawnPicture | PictureNotDrawn]) -> list[bytes | tuple[str, str]]:
    return [(one.picture_id, one.reason) if isinstance(one, PictureNotDrawn) else one.data for one in results]


def test_pictures_come_in_order_and_the_same_whatever_the_number_of_processes() -> None:
    wanted = plans(40)
    with DrawingPool(1) as alone:
        expected = list(alone.draw_many(wanted))
    with DrawingPool(2) as pool:
        found = list(pool.draw_many(iter(wanted)))
        again = list(pool.draw_many(wanted[:3]))
    assert told(found) == told(expected)
    assert told(again) == told(expected[:3])
    assert told(found)[6] == ("p-6", "the image maker knows no place 'moon'")
    assert isinstance(found[6], PictureNotDrawn)
    assert found[0] == BuiltinPainter().draw(wanted[0])


def test_one_worker_draws_in_this_process_as_plans_come() -> None:
    with DrawingPool(1) as pool:
        assert isinstance(next(pool.draw_many(iter(plans(2)))), DrawnPicture)
        assert not drawing_children()


def test_plans_are_taken_only_some_way_ahead_and_leaving_early_ends_the_processes() -> None:
    taken = 0

    def many() -> Iterator[PicturePlan]:
        nonlocal taken
        for plan in plans(400):
            taken += 1
            yield plan

    with DrawingPool(2) as pool:
        next(pool.draw_many(many()))
        assert taken <= 48
        children = drawing_children()
    assert len(children) == 2
    psutil.wait_procs(children, timeout=20)
    assert not any(one.is_running() for one in children)


def test_a_closed_pool_says_that_it_must_be_opened() -> None:
    with pytest.raises(RuntimeError, match="with DrawingPool"):
        next(DrawingPool(2).draw_many(plans(1)))


def drawing_children() -> list[psutil.Process]:
    return [one for one in psutil.Process().children() if "spawn_main" in " ".join(one.cmdline())]


def test_a_killed_process_is_a_clear_error_and_leaves_nothing_behind() -> None:
    with DrawingPool(2) as pool:
        results = pool.draw_many(plans(4000))
        next(results)
        children = drawing_children()
        os.kill(children[0].pid, signal.SIGKILL)
        with pytest.raises(DrawingWorkerDied, match="LIFELOOM_PICTURES__PROCESSES to fewer, and run again"):
            list(results)
    assert not issubclass(DrawingWorkerDied, ModelUnavailable)  # which would be tried again, in silence
    assert len(children) == 2
    psutil.wait_procs(children, timeout=20)
    assert not any(one.is_running() for one in children)


PROGRAM = """
import sys
from lifeloom.models.builtin.painter import DrawingPool
from lifeloom.records import PicturePlan, PictureSubject

def plans():
    for seed in range(100000):
        cat = PictureSubject(kind="animal", name="cat")
        yield PicturePlan(picture_id="p", kind="scene", place="park", subjects=(cat,), seed=seed, size=64)

if __name__ == "__main__":
    with DrawingPool(2) as pool:
        for number, _ in enumerate(pool.draw_many(plans())):
            if number == 0:
                print("drawing", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "endings",
    [[signal.SIGINT], [signal.SIGINT] * 2, [signal.SIGINT] * 4, [signal.SIGKILL]],
    ids=["Ctrl-C", "Ctrl-C twice", "Ctrl-C four times", "killed"],
)
def test_nothing_is_left_behind_when_the_program_is_ended(tmp_path: Path, endings: list[signal.Signals]) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    running = subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        text=True,
        start_new_session=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "drawing\n"
    children = psutil.Process(running.pid).children(recursive=True)
    assert len(children) >= 2
    for number, ending in enumerate(endings):
        if number:
            time.sleep(0.2)
        if running.poll() is None:  # to the whole group, as a terminal does it
            os.killpg(running.pid, ending) if ending == signal.SIGINT else running.send_signal(ending)
    try:
        running.wait(timeout=30)
    finally:
        running.stdout.close()
        running.kill()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(one.is_running() for one in children):
        time.sleep(0.1)
    assert not [one for one in children if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def test_starting_a_process_needs_no_heavy_package() -> None:
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, lifeloom.models.builtin.painter.pool;"
            "print([name for name in ('torch', 'PIL', 'dicebear', 'resvg_py') if name in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout.strip() == "[]"


KEYLESS = """
import json
from pathlib import Path

import psutil

from lifeloom.models.builtin.painter import DrawingPool
from tests.lifeloom.models.builtin.painter.test_pool import plans

with DrawingPool(2) as pool:
    pool_results = list(pool.draw_many(plans(9)))
    children = psutil.Process().children(recursive=True)
    print(json.dumps([Path(f"/proc/{child.pid}/environ").read_text() for child in children]))
"""


def test_neither_drawing_processes_nor_what_multiprocessing_starts_beside_them_have_keys() -> None:
    canary = "canary-0123456789abcdef"
    done = subprocess.run(
        [sys.executable, "-c", KEYLESS],
        env={**os.environ, "PYTHONPATH": str(Path.cwd()), "OPENAI_API_KEY": canary, "HF_TOKEN": canary},
        capture_output=True,
        text=True,
        check=True,
    )
    environments = json.loads(done.stdout)
    assert len(environments) == 3  # two that draw, and the resource tracker
    assert all("PYTHONPATH=" in environment for environment in environments)
    assert not any(canary in environment for environment in environments)
