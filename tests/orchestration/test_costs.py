"""What a stage will cost, what was spent, and what the command line says about both."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from lifeloom.models.calls.cost_reports import cost_metadata, cost_metrics, counted_text
from lifeloom.models.calls.ledger import EstimateLine, Ledger, Price
from lifeloom.models.protocol import ModelIdentity
from orchestration.cost_commands import estimate_table, spent_table
from orchestration.costs import Estimate, estimate, is_up_to_date
from orchestration.lineage import UnknownStage, steps_for
from orchestration.printing import print_tables
from orchestration.profiles import load_profile
from orchestration.rehearsal import RehearsedParts, rehearsal_profile
from orchestration.unpriced import unpriced, warn_of_unpriced
from resources.profile import Profile
from resources.workbench import Workbench
from tests.tiny import TINY, Made

SERVED = {
    "LIFELOOM_MODELS__WRITER__BACKEND": "openai",
    "LIFELOOM_MODELS__WRITER__MODEL": "m",
    "LIFELOOM_MODELS__WRITER__BASE_URL": "http://127.0.0.1:9/v1",
    "LIFELOOM_MODELS__WRITER__PRICE_PROMPT": "2",
    "LIFELOOM_MODELS__WRITER__PRICE_COMPLETION": "8",
    "LIFELOOM_MODELS__READER__BACKEND": "openai",
    "LIFELOOM_MODELS__READER__MODEL": "n",
    "LIFELOOM_MODELS__READER__BASE_URL": "http://127.0.0.1:9/v1",
    "LIFELOOM_MODELS__READER__WINDOW_TOKENS": "4096",
}
"""Models behind an address where nobody answers: an estimate asks no model of the profile."""


def _workbench(tmp_path: Path, **environment: str) -> Workbench:
    return Workbench(load_profile("demo", {**TINY, **environment}), tmp_path / "home")


def _content(workbench: Workbench) -> dict[str, str]:
    keys = workbench.store.keys()
    return {key: workbench.store.manifest(key).content_hash for key in keys}


def _shown(table: Table, width: int = 200) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(table)
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def test_a_stage_is_estimated_by_a_rehearsal_scaled_to_what_is_planned_and_priced(tmp_path: Path) -> None:
    workbench = _workbench(tmp_path, **SERVED, LIFELOOM_CORPUS__PERSONAS="201", LIFELOOM_CORPUS__SHARDS="2")
    told: list[tuple[int, int]] = []
    watched = Workbench(workbench.profile, workbench.home_path, lambda stage, done, total: told.append((done, total)))
    first, second = estimate("corpus/personas", None, watched)
    assert (first.stage, first.partition, first.up_to_date) == ("corpus/personas", "shard-000", False)
    (line,) = first.lines
    assert (line.role, line.task, line.calls) == ("writer", "persona_enrichment", 101)  # one call a person
    assert second.lines[0].calls == 100
    assert line.usd == pytest.approx(line.prompt_tokens * 2e-6 + line.completion_tokens * 8e-6)
    assert 100 < line.prompt_tokens / line.calls < 1000
    assert "2 of 101 people" in first.basis
    assert told[-1] == (2, 2)
    assert workbench.ledger.estimate("corpus/personas/shard-000") == [line]
    assert workbench.ledger.spent() == []  # the rehearsal's own calls are not on record here
    assert workbench.store.keys() == []
    assert "persona_enrichment" in _shown(estimate_table([first, second], "demo"))


def test_a_group_is_estimated_stage_by_stage_and_seeds_ask_no_model(tmp_path: Path) -> None:
    found = estimate("seeds", None, _workbench(tmp_path))
    assert [(one.stage, one.lines, one.usd) for one in found] == [
        ("seeds/personahub_personas", (), 0),
        ("seeds/yfcc_captions", (), 0),
        ("seeds/image_library", (), 0),
    ]
    with pytest.raises(UnknownStage, match="there is no stage"):
        estimate("nothing", None, _workbench(tmp_path))


def test_a_rehearsal_has_built_in_models_of_the_planned_windows_and_conversations_of_the_mean_length() -> None:
    planned = load_profile(
        "demo",
        {
            **SERVED,
            "LIFELOOM_BUDGET__USD": "1",
            "LIFELOOM_CORPUS__MIN_TURNS": "20",
            "LIFELOOM_CORPUS__MAX_TURNS": "60",
            "LIFELOOM_SEEDS__PERSONAHUB": "/data/large.jsonl",
        },
    )
    profile = rehearsal_profile(planned, "128k", RehearsedParts(reader_cases=5))
    assert {settings.backend for settings in profile.models.all_settings()} == {"builtin"}
    assert profile.models.reader.window_tokens == 4096
    assert (profile.corpus.min_turns, profile.corpus.max_turns, profile.corpus.shards) == (40, 40, 1)
    assert (profile.release.personas_32k, profile.release.personas_128k) == (0, 2)
    assert profile.release.cases_per_persona == planned.release.cases_per_persona
    assert (profile.audit.reader_cases, profile.audit.perturbed_cases) == (5, 0)
    assert (profile.budget.usd, profile.seeds.personahub) == (0, "")


def test_what_is_up_to_date_costs_nothing_and_is_not_rehearsed(made: Made) -> None:
    found = estimate("corpus", None, made.workbench)
    parts = ("personas", "dialogues", "memories", "scenes", "filtered_scenes", "contexts", "mcqa_probes")
    parts += ("questions", "sft_examples", "rl_prompts", "captioning_prompts")
    assert [one.account for one in found] == [f"corpus/{part}/shard-00{number}" for part in parts for number in (0, 1)]
    assert all(one.up_to_date and not one.lines for one in found)
    assert "up to date" in _shown(estimate_table(found, "demo"))


@pytest.mark.parametrize(
    "stage",
    ["reference/persona_mme", "release/persona_mme", "release/memories", "scores/persona_mme", "scores/ablations"],
)
def test_a_stage_is_up_to_date_until_something_that_it_depends_on_changes(made: Made, stage: str) -> None:
    (step,) = steps_for([stage], made.workbench.profile)
    content = _content(made.workbench)
    assert is_up_to_date(made.workbench, step)
    changed = load_profile("demo", {**TINY, "LIFELOOM_SEED": "8"})
    assert not is_up_to_date(Workbench(changed, made.workbench.home_path), step)
    # Asking makes nothing.
    assert _content(made.workbench) == content


def test_what_was_never_made_is_not_up_to_date(tmp_path: Path) -> None:
    workbench = _workbench(tmp_path)
    assert not any(is_up_to_date(workbench, step) for step in steps_for(["corpus"], workbench.profile))


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["corpus/dialogues", "scores/shortcut_audit"])
def test_an_estimate_is_near_what_the_stage_then_asks(made: Made, tmp_path: Path, stage: str) -> None:
    elsewhere = Workbench(made.workbench.profile, tmp_path / "home")
    found = estimate(stage, None, elsewhere)
    planned = sum(line.calls for one in found for line in one.lines)
    tokens = sum(line.prompt_tokens for one in found for line in one.lines)
    lines = [line for one in found for line in made.workbench.ledger.spent(one.account)]
    assert planned == pytest.approx(sum(line.calls for line in lines), rel=0.35)
    assert tokens == pytest.approx(sum(line.prompt_tokens for line in lines), rel=0.35)


def _book(ledger: Ledger) -> None:
    meter = ledger.meter("writer", ModelIdentity("openai", "m|n"), Price(2.0, 8.0))
    with ledger.account("corpus/dialogues/shard-000", "run-1"):
        for _ in range(3):
            meter.reserve("session_writing@1+aa", 0, 0).paid(1000, 500, 2.0)
        meter.recalled("session_writing@1+aa", 1000, 500)
        meter.happened("session_writing@1+aa", "http_429")
    with ledger.account("corpus/dialogues/shard-001", "run-1"):
        meter.reserve("session_writing@2+bb", 0, 0).paid(1000, 500, 2.0)
        meter.happened("session_writing@2+bb", "reask_bad_json")


def test_an_assets_page_shows_what_was_estimated_beside_what_was_spent(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        _book(ledger)
        estimates = [
            EstimateLine("critic", "session_critique", 7, 700, 70, 0.25),
            EstimateLine("writer", "session_writing", 4, 4000, 2000, 0.024),
        ]
        ledger.keep_estimate("corpus/dialogues/shard-000", estimates, profile="demo")
        page = cost_metadata(ledger, "corpus/dialogues/shard-000", "run-1")
        other = cost_metadata(ledger, "corpus/dialogues/shard-000", "run-2")
    assert (page["model calls"], page["answers from the cache"]) == (3, 1)
    assert (page["prompt tokens"], page["answer tokens"]) == (3000, 1500)
    assert page["cost in USD"] == pytest.approx(3 * (0.002 + 0.004))
    assert page["estimated cost in USD"] == pytest.approx(0.274)
    assert page["what happened to calls, all runs"] == "http_429 1"
    table = str(page["cost by model and task, all runs"]).splitlines()
    assert "critic | session_critique" in table[2]
    assert r"writer | session_writing | openai/m\|n | 3 | 1 | 3,000 | 1,500 | 0.0180" in table[3]
    assert "| 4 | 4,000 + 2,000 | 0.0240 |" in table[3]
    # A run that reuses everything took nothing, and does not hide what was paid before.
    assert (other["model calls"], other["cost in USD"]) == (0, 0)
    assert (other["model calls so far"], other["cost so far in USD"]) == (3, 0.018)
    assert other["cost by model and task, all runs"] == page["cost by model and task, all runs"]
    assert "no price set for" not in page


def test_costs_on_a_page_are_rounded(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        meter = ledger.meter("writer", ModelIdentity("openai", "m"), Price(0.1, 0.3))
        with ledger.account("corpus/personas/shard-000", "run-1"):
            for _ in range(3):
                meter.reserve("persona_enrichment@1+aa", 0, 0).paid(1001, 7, 0.1)
        page = cost_metadata(ledger, "corpus/personas/shard-000", "run-1")
    assert (page["cost in USD"], page["cost so far in USD"]) == (0.000307, 0.000307)


def test_what_happened_is_one_line_of_what_did() -> None:
    assert counted_text({"rewritten": 1, "redrawn": 0, "http_429": 1200}) == "http_429 1,200, rewritten 1"
    assert counted_text({"redrawn": 0}) == ""


def test_a_served_model_without_a_price_is_said_to_have_none(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        with ledger.account("corpus/dialogues/shard-000", "run-1"):
            free = ledger.meter("writer", ModelIdentity("openai", "m"))
            free.reserve("session_writing@1+aa", 0, 0).paid(1000, 500, 2.0)
            ledger.meter("critic", ModelIdentity("builtin", "rules")).counted("session_critique@1+cc", 10, 1, 0.1)
        page = cost_metadata(ledger, "corpus/dialogues/shard-000", "run-1")
        lines = [line.split() for line in _shown(spent_table(ledger)).splitlines()]
    assert page["no price set for"] == "openai/m"
    (writing,) = [line for line in lines if line[:2] == ["writer", "session_writing"]]
    (critique,) = [line for line in lines if line[:2] == ["critic", "session_critique"]]
    assert writing[-3:-1] == ["no", "price"]
    assert critique[-2] == "0.00"  # the built-in one costs nothing


def test_a_tracker_gets_numbers_of_all_runs_and_none_where_nothing_is_booked(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        _book(ledger)
        meter = ledger.meter("writer", ModelIdentity("openai", "m|n"), Price(2.0, 8.0))
        with ledger.account("corpus/dialogues/shard-001", "run-2"):
            meter.reserve("session_writing@2+bb", 0, 0).paid(1000, 500, 2.0)
        metrics = cost_metrics(ledger, "corpus/dialogues/shard-001")
        nothing = cost_metrics(ledger, "scores/persona_mme/2026-01-05/blind")
    assert metrics["calls/made"] == 2.0
    assert metrics["calls/usd"] == pytest.approx(0.012)
    assert metrics["calls/reask_bad_json"] == 1.0
    assert nothing == {}


def test_what_was_spent_is_summed_over_partitions_and_runs(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        _book(ledger)
        ledger.meter("reader", ModelIdentity("builtin", "rules")).counted("ask@1+cc", 10, 1, 0.1)
        shown = _shown(spent_table(ledger))
    lines = [line.split() for line in shown.splitlines()]
    stages = ("by hand", "corpus/dialogues", "all")
    places = [next(number for number, line in enumerate(lines) if line[: len(s.split())] == s.split()) for s in stages]
    assert places == sorted(places)
    by_hand, dialogues = lines[places[0] : places[1]], lines[places[1] : places[2]]
    assert by_hand[1:] == [["builtin/rules"], ["reader", "ask", "1", "0", "10", "1", "0.00", "0.1"]]
    assert dialogues[1:] == [
        ["openai/m|n"],
        ["writer", "session_writing", "4", "1", "4,000", "2,000", "0.0240", "8.0"],
        ["http_429", "1,", "reask_bad_json", "1"],
    ]
    assert lines[places[2]] == ["all", "5", "1", "4,010", "2,001", "0.0240", "8.1"]


def test_no_number_is_cut_on_a_narrow_terminal(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        meter = ledger.meter("writer", ModelIdentity("openai", "Qwen/Qwen2.5-VL-72B-Instruct-AWQ"), Price(2.0, 8.0))
        with ledger.account("corpus/dialogues/shard-000", "run-1"):
            meter.reserve("session_writing@1+aa", 0, 0).paid(370_370_367, 29_629_629, 3703.5)
        shown = _shown(spent_table(ledger), width=80)
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    assert all(number in shown for number in ("370,370,367", "29,629,629", "977.78", "3,703.5"))


def test_tables_that_are_piped_are_as_wide_as_they_need(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = (EstimateLine("writer", "session_writing", 4, 4000, 2000, 0.024),)
    account = "a_stage_with_a_very_long_name/and_another_long_part_of_its_name/shard-000-of-the-corpus"
    print_tables(estimate_table([Estimate(account, "", lines, "")], "demo"))
    assert account in capsys.readouterr().out


def _priced(**values: str) -> Profile:
    return load_profile("demo", {**TINY, **SERVED, "LIFELOOM_BUDGET__USD": "40", **values})


def test_served_models_without_a_price_are_warned_of_where_money_is_the_limit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    profile = _priced(
        LIFELOOM_MODELS__STAGES__CORPUS_DIALOGUES__WRITER__BACKEND="gemini",
        LIFELOOM_MODELS__STAGES__CORPUS_DIALOGUES__WRITER__MODEL="g",
        LIFELOOM_PICTURES__BACKEND="gemini",
        LIFELOOM_PICTURES__MODEL="p",
    )
    assert [(one.model, one.section) for one in unpriced(profile)] == [
        ("openai/n", "models.reader"),  # the writer has a price, critic and judge are built in
        ("gemini/g", "models.stages.corpus_dialogues.writer"),
        ("gemini/p", "pictures"),
    ]
    warn_of_unpriced(profile)
    told = capsys.readouterr()
    assert told.out == ""
    assert "Warning: the budget of 40.00 USD" in told.err
    assert "openai/n: price_prompt and price_completion in [models.reader]" in told.err
    assert "LIFELOOM_MODELS__STAGES__CORPUS_DIALOGUES__WRITER__PRICE_PROMPT" in told.err
    # What it advises is a setting that there is, and ends the warning.
    priced = _priced(LIFELOOM_MODELS__READER__PRICE_PROMPT="1")
    warn_of_unpriced(priced)
    warn_of_unpriced(_priced(LIFELOOM_BUDGET__USD="0"))
    assert capsys.readouterr().err == ""


def test_an_estimate_says_which_models_have_no_price(tmp_path: Path) -> None:
    no_price = {"LIFELOOM_MODELS__WRITER__PRICE_PROMPT": "0", "LIFELOOM_MODELS__WRITER__PRICE_COMPLETION": "0"}
    found = estimate("corpus/personas", "shard-000", _workbench(tmp_path, **{**SERVED, **no_price}))
    assert [one.unpriced for one in found] == [{"writer": "openai/m"}]
    shown = _shown(estimate_table(found, "demo"))
    assert shown.count("no price") == 2  # of the task, and altogether
    assert "0.00" not in shown


@pytest.mark.slow
def test_runs_in_mlflow_have_the_calls_of_policy_and_audit_and_blind_has_none(made: Made) -> None:
    client = made.workbench.tracker.client()
    experiment = client.get_experiment_by_name("persona_mme")
    assert experiment is not None
    runs = {run.info.run_name.partition(" ")[0]: run for run in client.search_runs([experiment.experiment_id])}
    date = made.workbench.profile.release.demo_date.isoformat()
    accounts = {
        "audit": f"scores/shortcut_audit/{date}",
        **{name: f"scores/persona_mme/{date}/{name}" for name in ("full_context", "rag")},
    }
    for name, account in accounts.items():
        booked = sum(line.calls for line in made.workbench.ledger.spent(account))
        assert runs[name].data.metrics["calls/made"] == booked > 0
    assert not [metric for metric in runs["blind"].data.metrics if metric.startswith("calls/")]


def test_an_estimate_of_nothing_is_shown_as_such() -> None:
    shown = _shown(estimate_table([Estimate("seeds/yfcc_captions", "", (), "asks no model")], "demo"))
    assert "asks no model" in shown


@pytest.mark.slow
def test_a_stage_of_captioning_is_estimated_by_its_query_pictures(tmp_path: Path) -> None:
    values = {**SERVED, "LIFELOOM_CAPTIONS__TRAIN_SCENES": "160", "LIFELOOM_CAPTIONS__TEST_SCENES": "80"}
    workbench = Workbench(load_profile("demo", values), tmp_path)
    shards = estimate("corpus/mcqa_probes", None, workbench)
    calls = [sum(line.calls for line in one.lines if line.task == "probe_writing") for one in shards]
    assert calls[0] == calls[1]
    # One call a dialogue; one to four concepts evenly, three dialogues each: 7.5 a query picture, 80 a shard.
    assert calls[0] == pytest.approx(80 * 7.5, rel=0.15)
    assert all("query pictures" in one.basis for one in shards)
