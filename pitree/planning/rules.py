"""Which release of pi is followed, as named switches; nothing else in pitree knows a release.

`0.84` is pi 0.84.1, `1.6` is pi 1.6.0. The release that brought a rule stands beside its switch; between the two the
nearer one approximates.
"""

from __future__ import annotations

from dataclasses import dataclass

from pitree.context.switches import ContextSwitches


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(ContextSwitches):
    """What differs between releases.

    Attributes:
        name: `0.84` or `1.6`.
        release: The release of pi whose answers these rules reproduce.
        plan_from_context: The cut is looked for in the context; before, on the path, where an older summary counts.
        last_cut_point: With no cut point at or after the entry reached, the last one is taken; before, the first.
        recovery_omissions: A suffix that only holds omitted attempts is passed over by the cut.
        from_id_is_old_leaf: A branch summary names the leaf that was left; before, its own parent.
        fixed_answer_limits: An answer is limited by shares of reserveTokens; later only by the model.
        prefix_with_headings: The request for a turn prefix has headings of its own, and the focus instructions.
        prefix_headings: The headings of the summary of a turn prefix: request, progress, context.
    """

    name: str
    release: str
    plan_from_context: bool
    last_cut_point: bool
    recovery_omissions: bool
    from_id_is_old_leaf: bool
    fixed_answer_limits: bool
    prefix_with_headings: bool
    prefix_headings: tuple[str, str, str]


RULES: dict[str, Rules] = {
    "0.84": Rules(
        name="0.84",
        release="0.84.1",
        system_messages=False,  # 0.86.0
        context_edits=False,  # 0.87.0
        older_summaries=True,  # until 1.6.0 at the latest
        trust_usage_before_edit=True,  # until 0.87.0
        thinking_in_transcript=True,  # until 1.2.0
        foreign_thinking_as_text=True,  # until 1.3.0
        whole_pairs=False,  # 1.5.1
        nested_calls=False,  # 0.99.0
        plan_from_context=False,  # 0.87.0
        last_cut_point=False,  # 0.86.0
        recovery_omissions=False,  # 0.87.0
        from_id_is_old_leaf=False,  # 0.84.3
        fixed_answer_limits=True,  # until 1.4.0
        prefix_with_headings=False,  # layout 0.87.1, focus 1.4.0
        prefix_headings=("Original Request", "Early Progress", "Context for Suffix"),
    ),
    "1.6": Rules(
        name="1.6",
        release="1.6.0",
        system_messages=True,
        context_edits=True,
        older_summaries=False,
        trust_usage_before_edit=False,
        thinking_in_transcript=False,
        foreign_thinking_as_text=False,
        whole_pairs=True,
        nested_calls=True,
        plan_from_context=True,
        last_cut_point=True,
        recovery_omissions=True,
        from_id_is_old_leaf=True,
        fixed_answer_limits=False,
        prefix_with_headings=True,
        prefix_headings=("Original Request", "Progress So Far", "Context Needed to Continue"),  # 0.87.1
    ),
}
NEWEST = RULES["1.6"]
