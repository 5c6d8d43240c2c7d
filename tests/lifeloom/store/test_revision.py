import re

import lifeloom
from lifeloom.store.revision import code_revision, source_digest


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return [("package", folder)]


def test_the_revision_is_the_version_and_a_digest():
    assert re.fullmatch(re.escape(lifeloom.__version__) + r"\+[0-9a-f]{12}", code_revision())


def test_equal_sources_have_equal_digests_wherever_they_lie(tmp_path):
    files = {"a.py": "x = 1", "sub/b.py": "y = 2", "data/seeds.jsonl": "{}"}

    assert source_digest(write(tmp_path / "one", files)) == source_digest(write(tmp_path / "two", files))


def test_a_change_of_code_data_or_name_changes_the_digest(tmp_path):
    digests = {
        source_digest(write(tmp_path / str(place), files))
        for place, files in enumerate(
            [
                {"a.py": "x = 1", "seeds.tsv": "1"},
                {"a.py": "x = 2", "seeds.tsv": "1"},
                {"a.py": "x = 1", "seeds.tsv": "2"},
                {"b.py": "x = 1", "seeds.tsv": "1"},
                {"a.py": "x = 1"},
            ]
        )
    }

    assert len(digests) == 5


def test_compiled_files_leave_no_trace(tmp_path):
    before = source_digest(write(tmp_path, {"a.py": "x = 1"}))

    assert source_digest(write(tmp_path, {"__pycache__/a.cpython-311.pyc": "?", "b.pyc": "?"})) == before
