from __future__ import annotations

import io

from PIL import Image

from lifeloom.lifegraph import LifeGraph
from lifeloom.lifegraph.drawing import graph_picture
from tests.lifeloom.lifegraph.test_file import a_graph


def _size(data: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.format == "PNG"
        return picture.size


def test_a_graph_is_drawn_the_same_each_time_in_the_size_that_is_asked() -> None:
    graph = a_graph(40)
    small = graph_picture(graph, side=4, dpi=72, most_nodes=20, labels=3)
    assert _size(small) == (288, 288)
    assert small == graph_picture(graph, side=4, dpi=72, most_nodes=20, labels=3)


def test_an_empty_graph_and_a_single_node_can_be_drawn() -> None:
    assert _size(graph_picture(LifeGraph.of("nobody", "", (), ()), side=2, dpi=50)) == (100, 100)
    alone = LifeGraph.of("zoe", "p-1", [a_graph().entities["p-1"]], ())
    assert _size(graph_picture(alone, side=2, dpi=50)) == (100, 100)
