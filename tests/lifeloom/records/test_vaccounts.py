"""A life out of the records of several."""

from __future__ import annotations

import datetime as dt

from lifeloom.records import BY_CODE, PAPER_COUNTS, Concept, Life, LifeImage


def _image(image_id: str, event_id: str, day: int, vaccount: str = "ana") -> LifeImage:
    return LifeImage(
        image_id=image_id,
        vaccount_id=vaccount,
        event_id=event_id,
        event_description=f"what happened in {event_id}",
        event_date=dt.date(2024, 1, day),
    )


def _concept(name: str, role: str, vaccount: str = "ana") -> Concept:
    concept_id = f"{vaccount}-c-{name.lower()}"
    return Concept(concept_id=concept_id, vaccount_id=vaccount, name=name, role=role, kind="person", made_by=BY_CODE)


def test_a_life_holds_its_own_records_alone_the_owner_first_and_pictures_in_the_order_of_time() -> None:
    life = Life.of(
        "ana",
        [_concept("Bo", "Owner's Brother"), _concept("Ana", "Account Owner"), _concept("Cem", "Account Owner", "cem")],
        [
            _image("ana-e-10-0", "ana-e-10", 3),
            _image("ana-e-2-10", "ana-e-2", 3),
            _image("ana-e-2-9", "ana-e-2", 3),
            _image("ana-e-0-0", "ana-e-0", 9),
            _image("cem-e-0-0", "cem-e-0", 1, "cem"),
        ],
    )
    assert [one.name for one in life.concepts] == ["Ana", "Bo"]
    assert [one.image_id for one in life.images] == ["ana-e-2-9", "ana-e-2-10", "ana-e-10-0", "ana-e-0-0"]
    assert [(event.event_id, len(event.images)) for event in life.events] == [
        ("ana-e-2", 2),
        ("ana-e-10", 1),
        ("ana-e-0", 1),
    ]
    assert life.event_of("ana-e-10-0") == "ana-e-10"
    assert life.owner is not None
    assert life.owner.name == "Ana"


def test_a_life_without_an_owner_says_so() -> None:
    assert Life.of("bo", [_concept("Bo", "Owner's Brother", "bo")], []).owner is None


def test_the_counts_of_the_paper_are_those_of_its_tables() -> None:
    assert sum(PAPER_COUNTS.values()) == 16_315  # Table 2
    by_difficulty = {
        level: sum(n for (_, of), n in PAPER_COUNTS.items() if of == level) for level in ("easy", "medium", "hard")
    }
    assert by_difficulty == {"easy": 2_595, "medium": 13_139, "hard": 581}
