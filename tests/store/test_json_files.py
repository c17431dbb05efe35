from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.store import json_files
from pitree.store.json_files import read_json, strip_comments


def read(path: Path, data: bytes, **options: bool) -> json_files.JsonFile:
    path.write_bytes(data)
    return read_json(path, **options)


def test_a_missing_file_is_no_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "none.json", tmp_path / "no/folder.json", tmp_path / "file/below.json"):
        assert read_json(path) == json_files.JsonFile(path, exists=False)


def test_a_byte_order_mark_is_dropped_once(tmp_path: Path) -> None:
    assert read(tmp_path / "x", b'\xef\xbb\xbf{"a": 1}').value == {"a": 1}
    assert read(tmp_path / "x", b"\xef\xbb\xbf\xef\xbb\xbf{}").problem is not None
    assert read(tmp_path / "x", b"\xef\xbb\xbf", empty=True).problem is not None


def test_an_empty_file_is_an_object_only_where_pi_says_so(tmp_path: Path) -> None:
    assert read(tmp_path / "x", b"", empty=True).value == {}
    assert read(tmp_path / "x", b"").problem is not None
    assert read(tmp_path / "x", b" \n", empty=True).problem is not None


def test_bad_utf8_becomes_the_replacement_character(tmp_path: Path) -> None:
    assert read(tmp_path / "x", b'{"a": "\xff"}').value == {"a": "\ufffd"}


@pytest.mark.parametrize("data", [b"NaN", b"[Infinity]", b"{'a': 1}", b'{"a": 1,}', b"// no\n{}", b"{} {}", b"\x00"])
def test_what_javascript_refuses_is_refused(tmp_path: Path, data: bytes) -> None:
    file = read(tmp_path / "x", data)
    assert file.exists
    assert file.value is None
    assert file.problem is not None
    assert file.problem.startswith("is not JSON")


def test_depth_is_no_obstacle(tmp_path: Path) -> None:
    assert read(tmp_path / "x", b"[" * 20000 + b"]" * 20000).problem is None
    assert read(tmp_path / "x", b"[" * 20000).problem is not None


def test_what_is_no_file_is_told_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert read_json(tmp_path / "pipe").problem == "cannot be read (it is no regular file)"
    assert read_json(tmp_path / "folder").problem == "cannot be read (it is a folder)"
    assert "cannot be read" in (read_json(tmp_path / "loop").problem or "")
    assert "cannot be read" in (read_json(tmp_path / "a\0b").problem or "")


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(json_files.MAX_BYTES + 1)
    assert read_json(tmp_path / "huge").problem == "cannot be read (it is larger than 64 MB)"


def test_comments_and_trailing_commas_go_but_strings_stay() -> None:
    text = '{"a": "// no, }", // yes, ]\n "b": [1, 2, // x\n ], "c": "\\"//,}",\n}'
    assert json.loads(strip_comments(text)) == {"a": "// no, }", "b": [1, 2], "c": '"//,}'}


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='ab/,]}"\\ \n'),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(alphabet='/,}"\\'), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES, st.sampled_from([None, 1]))
def test_json_without_comments_is_unchanged_by_stripping(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert strip_comments(text) == text


@given(JSON_VALUES)
def test_a_comment_at_the_end_of_each_line_changes_nothing(value: Any) -> None:
    text = json.dumps(value, indent=1).replace("\n", ' // "x", ]\n')
    assert json.loads(strip_comments(text)) == value


@pytest.mark.parametrize("unit", ["// ", '"\\', ", ", ",// ", '\\"', ",\n//"])
def test_stripping_a_hostile_file_takes_linear_time(unit: str) -> None:
    strip_comments("," + unit * 100_000)
