"""Whatever is typed, the answers keep to their forms."""

import pytest

from tests.lifeloom.models.builtin.extractor.asking import core, procedural, remembered, topics
from tests.statements import load_odd_messages

ODD = [*load_odd_messages()]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.note[:40])
def test_an_odd_message_is_answered_in_the_forms(odd):
    remembered(odd.text)
    remembered(odd.text, odd.text, odd.text)
    core(odd.text)
    procedural(odd.text, "My goal is to sing.")
    assert topics("I love figs.", odd.text)
