import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from lifeloom.store import Recipe
from lifeloom.store.recipe import canonical_json

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
parameters = st.dictionaries(st.text(), scalars | st.lists(scalars | st.lists(scalars, max_size=2), max_size=3))


@given(st.integers(), parameters)
def test_a_recipe_comes_back_from_json_as_it_went_in_with_the_same_digest(seed, values):
    recipe = Recipe(stage="s", seed=seed, parameters=values)

    again = Recipe.model_validate_json(canonical_json(recipe.model_dump(mode="json")))

    assert again == recipe
    assert again.digest() == recipe.digest()


def test_order_leaves_no_trace():
    one = Recipe(
        stage="s",
        seed=1,
        parameters={"a": 1, "b": 2},
        models=("x", "y", "x"),
        parents={"k/a": "0" * 64, "k/b": "1" * 64},
    )
    two = Recipe(
        stage="s", seed=1, parameters={"b": 2, "a": 1}, models=("y", "x"), parents={"k/b": "1" * 64, "k/a": "0" * 64}
    )

    assert one.digest() == two.digest()
    assert one.models == two.models == ("x", "y")


@pytest.mark.parametrize(
    ("one", "two"), [(1, 1.0), (1, True), (1, "1"), (0, None), ([1, 2], [2, 1]), ([1], 1), ("", None)], ids=repr
)
def test_other_values_make_another_digest(one, two):
    assert Recipe(stage="s", seed=1, parameters={"a": one}).digest() != (
        Recipe(stage="s", seed=1, parameters={"a": two}).digest()
    )


@pytest.mark.parametrize(
    "bad",
    [
        {"parameters": {"a": float("nan")}},
        {"parameters": {"a": float("inf")}},
        {"parameters": {"a": object}},
        {"parameters": {"a": {"b": 1}}},
        {"parents": {"k/a": "not a hash"}},
        {"seed": "seven"},
        {"unknown": 1},
    ],
    ids=str,
)
def test_what_has_no_stable_json_is_refused(bad):
    with pytest.raises(ValidationError):
        Recipe(**{"stage": "s", "seed": 1, **bad})
