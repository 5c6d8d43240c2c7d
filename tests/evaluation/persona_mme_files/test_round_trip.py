import datetime as dt
import itertools
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evaluation.persona_mme_files import export_release, read_release
from lifeloom.records import ASPECT_OF, LETTERS, AlignmentPair, BenchmarkCase, Option, Provenance, local_time
from tests.evaluation.persona_mme_files.published import START, Shelf, content_of, picture_file, reference, turn

FILES = [picture_file(n, form) for n, form in enumerate(("PNG", "JPEG", "WEBP", "PNG", "BMP"))]
PICTURES = [reference(data) for data in FILES]
CODE = Provenance(backend="code", model="", prompt_version="")

any_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
odd_text = st.one_of(
    any_text,
    st.sampled_from(
        ['say "hi"', "it's\r\n\tso", "\\u0041 \\", "\u2028\x00\ufeff", "<img>", "a <img> b<img>", "<IMG> <img/>", "{}"]
    ),
)
plain_text = odd_text.filter(lambda text: "<img>" not in text)


@st.composite
def releases(draw):
    """Cases with the conversations of one to three users; minutes may repeat, cases come between turns."""
    turns, cases = {}, []
    for user in range(draw(st.integers(1, 3))):
        persona, offset = f"p-{user}", draw(st.sampled_from([0, 60, -330, 765]))
        setting = draw(st.sampled_from(["32k", "128k"]))
        at, own, session = START, [], 0
        for index in range(draw(st.integers(1, 6))):
            at += dt.timedelta(seconds=draw(st.sampled_from([1, 20, 59, 61, 600, 90_000])))
            session += draw(st.booleans())
            shown = draw(st.lists(st.sampled_from(PICTURES), max_size=3))
            pieces = draw(st.lists(plain_text, min_size=len(shown) + 1, max_size=len(shown) + 1))
            own.append(
                turn(
                    index,
                    at,
                    persona=persona,
                    session=f"s-{session}",
                    user="<img>".join(pieces),
                    assistant=draw(odd_text),
                    pictures=shown,
                    offset=offset,
                )
            )
        turns[persona] = own
        minutes = [t.at.replace(second=0) for t in own] + [own[-1].at + dt.timedelta(days=9)]
        told_apart = [n for n, (one, other) in enumerate(itertools.pairwise(minutes), start=1) if one < other]
        for number, moment in enumerate(draw(st.lists(st.sampled_from(told_apart), max_size=3))):
            task = draw(st.sampled_from(list(ASPECT_OF)))
            pair = draw(st.none() | st.tuples(odd_text, odd_text))
            cases.append(
                BenchmarkCase(
                    case_id=f"c-{user}-{number}",
                    release_id="2026-01-05",
                    persona_id=persona,
                    setting=setting,
                    task=task,
                    aspect=ASPECT_OF[task],
                    asked_at=own[moment - 1].at + dt.timedelta(seconds=draw(st.integers(0, 40))),
                    offset_minutes=offset,
                    history_turns=moment,
                    query=draw(odd_text),
                    options=tuple(Option(letter=letter, text=draw(odd_text), source="right") for letter in LETTERS),
                    answer=draw(st.sampled_from(LETTERS)),
                    alignment=pair and AlignmentPair(chosen=pair[0], rejected=pair[1], made_by=CODE),
                    evidence_turns=(0,),
                    attribute="drink",
                    stem_id="drink-1",
                )
            )
    profiles = {name: draw(st.dictionaries(any_text, any_text, max_size=2)) for name in turns}
    return draw(st.permutations(cases)), turns, profiles


def asked(case):
    options = [(option.letter, option.text) for option in case.options]
    pair = case.alignment and (case.alignment.chosen, case.alignment.rejected)
    return case.setting, case.task, case.aspect, case.query, options, case.answer, pair, case.history_turns


def heard(turns, source):
    """What a policy may see of a conversation."""
    return [
        (
            local_time(t.at, t.offset_minutes).replace(second=0),
            t.user,
            t.assistant,
            [(picture, source(picture)) for picture in t.pictures],
        )
        for t in turns
    ]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(releases())
def test_what_is_read_back_asks_the_same_and_exports_to_the_same_bytes(release):
    cases, turns, profiles = release
    source = Shelf(FILES)
    with tempfile.TemporaryDirectory() as place:
        first, second = Path(place) / "first", Path(place) / "second"
        report = export_release(first, cases, turns.__getitem__, profiles, source)
        read = read_release(first)

        assert (read.rejections, read.listed, report.cases) == ([], len(cases), len(cases))
        assert list(map(asked, read.cases)) == list(map(asked, cases))
        for case, back in zip(cases, read.cases, strict=True):
            local = local_time(case.asked_at, case.offset_minutes).replace(second=0)
            moved = dt.timedelta(minutes=case.case_id in report.moved)
            assert local_time(back.asked_at, back.offset_minutes) == local + moved
            assert heard(read.turns[back.persona_id], read.pictures) == heard(turns[case.persona_id], source)
            sessions = [len(list(own)) for _, own in itertools.groupby(turns[case.persona_id], lambda t: t.session_id)]
            assert sessions == [
                len(list(own)) for _, own in itertools.groupby(read.turns[back.persona_id], lambda t: t.session_id)
            ]
            assert read.profiles[back.persona_id] == profiles[case.persona_id]

        again = export_release(second, read.cases, read.turns.__getitem__, read.profiles, read.pictures)
        assert content_of(second) == content_of(first)
        assert again.moved == ()


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["<img>", "(a)"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=5) | st.sampled_from(["data_path", "sessions", "imgs", "time", "user", "assistant"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(any_json, max_size=3), any_json)
@example([{}], {"sessions": [[]], "imgs": []})
def test_whatever_json_is_found_is_read_or_left_out_with_a_reason(entries, user):
    import json

    from tests.evaluation.persona_mme_files.published import told_case

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "samples" / "50" / "0"
        folder.mkdir(parents=True)
        (Path(place) / "Persona-MME.json").write_text(json.dumps([*entries, told_case()]))
        (folder / "user_data.json").write_text(json.dumps(user))

        read = read_release(Path(place))

    assert read.listed == len(entries) + 1
    left_out = [rejection for rejection in read.rejections if rejection.stage == "persona_mme_files/cases"]
    assert len(read.cases) + len(left_out) == read.listed
