import json
from datetime import UTC, datetime

import pytest

from pitree.lessons.blocks import Value, block_length, file_lists, stringify, text_block
from pitree.lessons.builder import SessionBuilder


def make(**options: float) -> SessionBuilder:
    ratio = options.get("ratio", 1.0)
    overhead = int(options.get("overhead", 0))
    start = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    return SessionBuilder("test", cwd="/src/x", start=start, ratio=ratio, overhead=overhead)


def entries(builder: SessionBuilder) -> list[dict[str, object]]:
    return [json.loads(line) for line in builder.build().split(b"\n")[1:-1]]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (1.0, "1"),
        (0.000171, "0.000171"),
        (6.6e-05, "0.000066"),
        ("né\n\x1b\u2028/", '"né\\n\\u001b\u2028/"'),
        ({"b": [1, {}], "a": []}, '{"b":[1,{}],"a":[]}'),
    ],
)
def test_numbers_and_strings_are_written_as_javascript_does(value: Value, text: str) -> None:
    assert stringify(value) == text


def test_a_header_and_a_message_have_pis_keys_in_pis_order() -> None:
    builder = make()
    builder.wait(1.5)
    builder.user("Hello")
    header, line = builder.build().decode().splitlines()
    assert list(json.loads(header)) == ["type", "version", "id", "timestamp", "cwd"]
    entry = json.loads(line)
    assert line == (
        f'{{"type":"message","id":"{entry["id"]}","parentId":null,"timestamp":"2026-03-02T09:00:01.500Z","message":'
        '{"role":"user","content":[{"type":"text","text":"Hello"}],"timestamp":1772442001500}}'
    )


def test_other_entries_have_pis_keys_in_pis_order() -> None:
    builder = make()
    target = builder.user("Hello")
    builder.custom("note", {"seen": 1})
    builder.custom_message("note", "Look here.", {"level": "info"})
    builder.label(target, "start")
    builder.label(target, None)
    builder.session_name("A name")
    builder.thinking_level_change("high")
    builder.compaction("## Goal", target, read_files=["a.py"])
    builder.branch_from(target)
    builder.branch_summary("## Goal", target, modified_files=["b.py"])
    common = ["id", "parentId", "timestamp"]
    assert [list(entry) for entry in entries(builder)[1:]] == [
        ["type", "customType", "data", *common],
        ["type", "customType", "content", "display", "details", *common],
        ["type", *common, "targetId", "label"],
        ["type", *common, "targetId"],
        ["type", *common, "name"],
        ["type", *common, "thinkingLevel"],
        ["type", *common, "summary", "firstKeptEntryId", "tokensBefore", "details", "usage", "fromHook"],
        ["type", *common, "fromId", "summary", "details", "usage", "fromHook"],
    ]


def test_usage_grows_with_the_context_and_reads_back_what_it_cached() -> None:
    builder = make(overhead=1000)
    builder.user("x" * 400)
    builder.assistant([text_block("y" * 40)])
    builder.user("x" * 800)
    builder.assistant([text_block("y" * 80)])
    first, second = (entry["message"]["usage"] for entry in entries(builder)[1::2])  # type: ignore[index]
    assert first["totalTokens"] == 1000 + 100 + 10
    assert first["cacheRead"] == 0
    assert second["totalTokens"] == 1110 + 200 + 20
    assert second["cacheRead"] == first["cacheWrite"]
    assert second["output"] == 20


def test_the_cache_is_lost_after_a_pause_and_shrinks_to_the_prompt_after_a_compaction() -> None:
    builder = make(overhead=1000)
    builder.user("x" * 4000)
    builder.assistant([text_block("y" * 40)])
    kept = builder.user("x" * 400)
    builder.wait(600)
    late = builder.assistant([text_block("y" * 40)])
    builder.compaction("s" * 400, kept)
    builder.user("x" * 400)
    builder.assistant([text_block("y" * 40)])
    found = {str(entry["id"]): entry for entry in entries(builder)}
    assert found[late]["message"]["usage"]["cacheRead"] == 0  # type: ignore[index]
    last = found[str(builder.leaf)]["message"]["usage"]  # type: ignore[index]
    assert last["cacheRead"] == 1000
    assert last["totalTokens"] == 1000 + 100 + (100 + 10) + 100 + 10


def test_branches_hang_where_they_are_told_to() -> None:
    builder = make()
    root = builder.user("a")
    builder.user("b")
    builder.branch_from(root)
    builder.user("c")
    assert [entry["parentId"] for entry in entries(builder)] == [None, root, root]
    with pytest.raises(KeyError):
        builder.branch_from("nowhere0")


def test_an_id_cannot_be_used_twice() -> None:
    builder = make()
    builder.user("a", entry_id="00000001")
    with pytest.raises(ValueError, match="used twice"):
        builder.user("b", entry_id="00000001")


def test_lengths_and_file_lists() -> None:
    builder = make()
    assert block_length(builder.tool_call("read", {"path": "a.py"})) == len('read{"path":"a.py"}')
    assert file_lists(["a"], ["b", "c"]) == (
        "\n\n<read-files>\na\n</read-files>\n\n<modified-files>\nb\nc\n</modified-files>"
    )
    assert file_lists([], []) == ""
