"""What differs between releases of pi in what the model sees; `planning/rules` names the values and the releases."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSwitches:
    """The switches that this room obeys.

    Attributes:
        system_messages: Messages of the role system count, are dropped from a kept range, and a compaction carries one.
        context_edits: Entries of the type context_edit omit or replace what the model sees.
        older_summaries: An older compaction inside the kept range shows its summary again.
        trust_usage_before_edit: Recorded usage counts even when a compaction or an edit came after it.
        thinking_in_transcript: Thinking is printed in the text to summarize.
        foreign_thinking_as_text: Thinking of another model than the one that is asked is sent as text, else not at all.
        whole_pairs: A tool result cut at the limit leaves half a surrogate pair out.
        nested_calls: Files are also collected from the calls recorded on a tool result.
    """

    system_messages: bool
    context_edits: bool
    older_summaries: bool
    trust_usage_before_edit: bool
    thinking_in_transcript: bool
    foreign_thinking_as_text: bool
    whole_pairs: bool
    nested_calls: bool
