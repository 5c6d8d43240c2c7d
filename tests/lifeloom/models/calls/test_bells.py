"""A bell wakes one thread, also when it rings before anybody waits."""

from __future__ import annotations

import threading
import time

from lifeloom.models.calls.bells import Bell


def waits(bell: Bell, seconds: float) -> bool:
    """Whether the whole time passes."""
    began = time.monotonic()
    bell.wait(seconds)
    return time.monotonic() - began >= seconds


def test_what_rings_before_the_wait_ends_it_and_only_that_one() -> None:
    bell = Bell()
    bell.ring()
    bell.ring()
    assert not waits(bell, 20)
    assert waits(bell, 0.01)


def test_another_thread_wakes_who_waits_without_limit() -> None:
    bell, woken = Bell(), Bell()

    def sleep() -> None:
        bell.wait()
        woken.ring()

    thread = threading.Thread(target=sleep, daemon=True)
    thread.start()
    bell.ring()
    assert not waits(woken, 20)
    thread.join(20)
    assert not thread.is_alive()


def test_a_wait_of_any_length_is_taken() -> None:
    bell = Bell()
    bell.wait(-1.0)
    bell.ring()
    assert not waits(bell, 1e300)
