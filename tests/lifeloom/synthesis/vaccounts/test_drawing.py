"""Drawing lives: candidates, votes, redrawing, leaving out, portraits for makers that read captions."""

import hashlib

import pytest

from lifeloom.models.protocol import DrawnPicture, PictureNotDrawn, Portrait
from lifeloom.records import PictureReference
from lifeloom.synthesis.vaccounts.drawing import (
    LifeIllustrator,
    PictureOrder,
    PictureShelf,
    events_without_pictures,
    shown_people,
)
from lifeloom.synthesis.vaccounts.making import draw_history, draw_portraits
from lifeloom.synthesis.vaccounts.words import write_event
from tests.lifewords import EVENT, GOOD, LIFE, MINA, YARA, Crayon, event_writer, png, shot, unreadable, voter


def reference(name):
    return PictureReference(content_hash=hashlib.sha256(name.encode()).hexdigest(), width=8, height=8)


def nowhere(picture):
    raise AssertionError(f"{picture} is not on the shelf")


PORTRAITS = {one.concept_id: reference(one.name) for one in LIFE.concepts}


def order(image_id="yara-e-0-0", use="history", seed=1):
    return PictureOrder(
        image_id,
        "yara",
        use,
        shot(image_id, (YARA, MINA), seed).picture,
        caption="Yara and Mina by the lake with a red hat.",
        people=(Portrait("Yara", reference("Yara")), Portrait("Mina", reference("Mina"))),
        things=("a red hat",),
    )


def illustrate(orders, critic=None, maker=None, unfit=None, **options):
    maker = maker or Crayon()
    shelf = PictureShelf(nowhere)
    results = list(LifeIllustrator(maker, maker.draw_many, critic, shelf, **options).draw(orders, unfit))
    assert shelf.held == 0
    return results


def test_without_a_critic_the_first_candidate_is_taken_from_the_plan_itself():
    (result,) = illustrate([order(seed=5)])
    assert result.picture is not None
    assert result.picture.plan.seed == 5
    assert result.picture.picture.content_hash == hashlib.sha256(result.data).hexdigest()
    assert result.data == png((5, 0, 0))
    assert result.vote.chosen == 0


def test_the_candidate_with_most_votes_is_taken_and_the_others_keep_their_reasons():
    critic = voter(2, 3, 2, problems=[(1, "Mina looks younger"), (3, "no hat")])
    (result,) = illustrate([order()], critic, candidates=3, votes=3)
    assert result.vote.chosen == 1
    assert [one.votes for one in result.vote.candidates] == [0, 2, 1]
    assert [one.problems for one in result.vote.candidates] == [("Mina looks younger",), (), ("no hat",)]
    assert len({one.seed for one in result.vote.candidates}) == 3
    assert result.picture is not None
    assert result.picture.plan.seed == result.vote.candidates[1].seed
    assert result.picture.picture.content_hash == result.vote.candidates[1].content_hash
    assert result.vote.made_by.model == "writer-1"
    assert [sample for _, _, sample in critic.asked] == [0, 1, 2]


def test_the_critic_is_shown_the_portraits_then_the_candidates():
    critic = voter(1)
    (result,) = illustrate([order()], critic, candidates=2)
    (_, asked, _) = critic.asked[0]
    assert (asked.people, asked.things, asked.place, asked.candidates) == (
        ("Yara", "Mina"),
        ("a red hat",),
        "by the lake",
        2,
    )
    names = [picture.content_hash for picture in critic.images[0]]
    assert names[:2] == [reference("Yara").content_hash, reference("Mina").content_hash]
    assert names[2:] == [one.content_hash for one in result.vote.candidates]


def test_votes_that_go_apart_are_still_for_some_candidate_and_the_earlier_one_wins_a_tie():
    (result,) = illustrate([order()], voter(3, 1, 2), candidates=3, votes=3)
    assert result.vote.chosen == 0


def test_where_most_votes_are_for_none_as_many_are_drawn_once_more():
    critic = voter(0, 0, 1)
    maker = Crayon()
    # The second round asks again from sample 0 on: none is good enough there either.
    (result,) = illustrate([order()], critic, maker, candidates=2, votes=3)
    assert len(maker.drawn) == len({plan.seed for plan in maker.drawn}) == 4
    assert len(result.vote.candidates) == 4
    assert result.vote.chosen is None
    assert result.picture is None
    assert result.rejection is not None
    assert (result.rejection.item, result.rejection.reason) == ("yara-e-0-0", "no_candidate_good_enough")


def test_a_picture_that_is_good_at_the_second_attempt_is_taken():
    class SecondRound:
        def __init__(self):
            self.good, self.bad, self.rounds = voter(1), voter(0), 0
            self.identity, self.takes_pictures = self.good.identity, True

        def run(self, *args, **more):
            self.rounds += 1
            return (self.bad if self.rounds == 1 else self.good).run(*args, **more)

    (result,) = illustrate([order()], SecondRound())
    assert result.vote.chosen == 1
    assert result.picture is not None
    assert result.picture.plan.seed == result.vote.candidates[1].seed != 1


def test_a_vote_that_cannot_be_read_counts_for_none_and_is_told():
    (result,) = illustrate([order()], voter(unreadable("candidate_vote"), 1, 1), candidates=2, votes=3)
    assert result.vote.chosen == 0
    assert "vote 1 could not be read: bad_json" in result.vote.candidates[0].problems
    (lost,) = illustrate([order()], voter(unreadable("candidate_vote"), unreadable("x"), 1), votes=3)
    assert lost.picture is None


@pytest.mark.parametrize("best", [-0, 7])
def test_a_vote_for_a_candidate_that_is_not_there_is_for_none(best):
    (result,) = illustrate([order()], voter(best), candidates=2)
    assert result.picture is None


def test_pictures_that_cannot_be_drawn_are_left_out_with_the_reason_and_the_others_stay():
    results = illustrate([order("broken-0"), order("yara-e-0-1")], voter(1), candidates=2)
    assert [one.picture is None for one in results] == [True, False]
    rejection = results[0].rejection
    assert rejection is not None
    assert (rejection.reason, rejection.item) == ("picture_not_drawn", "broken-0")
    assert "no such thing" in rejection.detail
    assert not any(one.drawn for one in results[0].vote.candidates)


def test_of_candidates_some_of_which_cannot_be_drawn_the_vote_is_on_the_others():
    maker = Crayon(refuse=lambda plan: plan.seed == 1)  # the first candidate's
    critic = voter(1)
    (result,) = illustrate([order()], critic, maker, candidates=2)
    assert critic.asked[0][1].candidates == 1
    assert result.vote.chosen == 1
    assert [one.drawn for one in result.vote.candidates] == [False, True]


def test_a_candidate_that_is_unfit_is_not_voted_on_and_drawn_again():
    first = hashlib.sha256(png((1, 0, 0))).hexdigest()
    critic = voter(1)
    (result,) = illustrate(
        [order()], critic, unfit=lambda picture, data: "known" if picture.content_hash == first else ""
    )
    assert result.vote.chosen == 1
    assert result.vote.candidates[0].problems == ("known",)
    assert len(critic.asked) == 1
    (lost,) = illustrate([order()], critic, unfit=lambda picture, data: "known")
    assert lost.rejection is not None
    assert lost.rejection.detail == "known"


def test_many_pictures_come_in_order_whoever_draws_and_are_looked_at_ahead():
    orders = [order(f"yara-e-0-{number}", seed=number) for number in range(1, 40)]
    looked = []
    one, many = (
        illustrate(orders, voter(1), callers=callers, look_ahead=lambda pictures: looked.append(len(pictures)))
        for callers in (1, 4)
    )
    assert [result.order.image_id for result in one] == [item.image_id for item in orders]
    assert [result.picture for result in many] == [result.picture for result in one]
    assert looked == [16, 16, 7, 16, 16, 7]


def test_drawing_takes_no_more_orders_than_it_needs_to_run_ahead():
    taken = []

    def orders():
        for number in range(1, 200):
            taken.append(number)
            yield order(f"yara-e-0-{number}", seed=number)

    maker = Crayon()
    drawing = LifeIllustrator(maker, maker.draw_many, None, PictureShelf(nowhere)).draw(orders())
    next(drawing)
    assert len(taken) <= 20


class Reader(Crayon):
    """Draws captions too."""

    def __init__(self):
        super().__init__()
        self.captions = []

    def draw_caption(self, caption, portraits=(), *, sample=0, size=None):
        self.captions.append((caption, tuple(one.name for one in portraits), sample, size))
        if "broken" in caption:
            raise PictureNotDrawn(caption, "declined")
        return DrawnPicture(png((sample % 256, 9, 9)), 8, 8, ())


def test_a_maker_that_reads_gets_caption_and_portraits_and_a_number_for_each_candidate():
    maker = Reader()
    (result,) = illustrate([order(seed=5)], voter(2), maker, candidates=3, callers=2)
    assert {(caption, names, size) for caption, names, _, size in maker.captions} == {
        ("Yara and Mina by the lake with a red hat.", ("Yara", "Mina"), 64)
    }
    assert [sample for *_, sample, _ in maker.captions] == [one.seed for one in result.vote.candidates]
    assert maker.drawn == []


def test_a_portrait_is_drawn_from_its_plan_also_by_a_maker_that_reads():
    maker = Reader()
    results = list(draw_portraits(LIFE, LifeIllustrator(maker, maker.draw_many, voter(1), PictureShelf(nowhere))))
    assert [one.order.image_id for one in results] == [one.concept_id for one in LIFE.concepts]
    assert maker.captions == []


def test_a_portrait_is_voted_on_as_one_person_or_animal_whom_nobody_knows():
    maker, critic = Crayon(), voter(1)
    list(draw_portraits(LIFE, LifeIllustrator(maker, maker.draw_many, critic, PictureShelf(nowhere))))
    asked = {input_.caption: input_ for _, input_, _ in critic.asked}
    assert asked["a portrait: red short hair, glasses"].strangers == 1
    assert (asked["a portrait: dog"].strangers, asked["a portrait: dog"].things) == (0, ("a dog",))


def history(critic=None, plan=LIFE, maker=None):
    story = write_event(event_writer(GOOD), plan, plan.events[0]).story
    maker = maker or Crayon()
    illustrator = LifeIllustrator(maker, maker.draw_many, critic, PictureShelf(nowhere))
    return list(draw_history(plan, {story.event_id: story}, PORTRAITS, illustrator))


class Patterned(Crayon):
    """Draws a pattern of its own from each seed: a plain colour looks like every other one."""

    def draw(self, plan):
        import io
        import random

        from PIL import Image

        super().draw(plan)
        image = Image.frombytes("RGB", (16, 16), random.Random(plan.seed).randbytes(768)).resize((64, 64))
        out = io.BytesIO()
        image.save(out, "PNG")
        return DrawnPicture(out.getvalue(), 64, 64, ())


def test_the_history_has_the_words_and_date_of_its_events_and_questions_have_no_row():
    rows = history(maker=Patterned())
    assert [(result.order.use, image is None) for result, image in rows] == [
        ("history", False),
        ("history", False),
        ("question", True),
    ]
    images = [image for _, image in rows if image is not None]
    assert [one.image_id for one in images] == ["yara-e-0-0", "yara-e-0-1"]
    assert {(one.event_description, one.event_date) for one in images} == {(GOOD.description, EVENT.date)}
    assert rows[0][0].order.caption == GOOD.captions[0]
    assert [person.name for person in rows[1][0].order.people] == ["Mina", "Rex"]


def test_an_event_without_words_is_not_drawn():
    maker = Patterned()
    illustrator = LifeIllustrator(maker, maker.draw_many, None, PictureShelf(nowhere))
    rows = list(draw_history(LIFE, {}, PORTRAITS, illustrator))
    assert [result.order.image_id for result, _ in rows] == ["yara-s-0"]


def test_a_question_s_picture_that_is_in_the_history_is_drawn_from_another_seed():
    copied = LIFE.question_shots[0].model_copy(
        update={"picture": LIFE.events[0].shots[1].picture.model_copy(update={"picture_id": "yara-s-0"})}
    )
    rows = history(plan=LIFE.model_copy(update={"question_shots": (copied,)}), maker=Patterned())
    result = rows[-1][0]
    assert result.vote.chosen == 1
    assert result.vote.candidates[0].problems == ("the same file as yara-e-0-1",)


def test_a_question_s_picture_that_stays_like_the_history_is_left_out():
    result = history()[-1][0]  # plain colours: every picture looks like every other one
    assert result.picture is None
    assert result.rejection is not None
    assert "looks like yara-e-0-" in result.rejection.detail


def test_an_event_is_left_out_only_when_none_of_its_pictures_is_there():
    assert events_without_pictures(LIFE, ["yara-e-0"], ["yara-e-0-1"]) == []
    (rejection,) = events_without_pictures(LIFE, ["yara-e-0"], [])
    assert (rejection.item, rejection.reason) == ("yara-e-0", "no_picture_left")
    assert events_without_pictures(LIFE, [], []) == []


def test_only_those_with_a_portrait_are_shown():
    assert shown_people(["yara-c-yara", "yara-c-mina"], {"yara-c-mina": "Mina"}, {"yara-c-mina": reference("x")}) == (
        Portrait("Mina", reference("x")),
    )


def test_the_shelf_keeps_a_file_until_everybody_took_theirs_away():
    shelf = PictureShelf(lambda picture: b"elsewhere")
    drawn = DrawnPicture(png((1, 2, 3)), 8, 8, ())
    first, second = shelf.put(drawn), shelf.put(drawn)
    shelf.take(first)
    assert shelf(second) == drawn.data
    shelf.take(second)
    assert shelf(second) == b"elsewhere"
    assert shelf.held == 0
