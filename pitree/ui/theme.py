"""The colors: a dark and a light theme, and the `$pitree-…` variables that every other theme falls back to.

Two families only: a cool one for what the model keeps (blues, teal, green), a warm one for what it loses (amber, rose).
Text colors have a contrast of at least 4.5 to 1 on the background of their theme; tests hold that.
"""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

DARK_NAME: Final = "pitree-dark"
LIGHT_NAME: Final = "pitree-light"

_DARK: Final[dict[str, str]] = {
    "pitree-path": "#8fb8e8",
    "pitree-abandoned": "#7f8797",
    "pitree-gone": "#868d9d",
    "pitree-leaf": "#9ece8a",
    "pitree-label": "#d9b86c",
    "pitree-hit": "#ffd866",
    "pitree-fold": "#9aa5b8",
    "pitree-as-of": "#e0af68",
    "pitree-problem": "#f28b82",
    "pitree-summarized": "#e0a458",
    "pitree-prefix": "#f0c987",
    "pitree-cut": "#ff8f73",
    "pitree-kept": "#6cc3b4",
    "pitree-unseen": "#868d9d",
    "pitree-ancestor": "#c3a6ff",
    "pitree-left": "#e0a458",
    "pitree-dropped": "#f28b82",
    "pitree-left-out": "#8c94a4",
    "pitree-target": "#7fc8f8",
    "pitree-new-leaf": "#a6e08a",
    "pitree-changed": "#ffcf70",
    "pitree-user": "#a9c9f5",
    "pitree-assistant": "#d5dae3",
    "pitree-tool": "#98a3b5",
    "pitree-summary": "#e3b778",
    "pitree-quiet": "#8f98a8",
    "pitree-rule": "#8b94a5",
    "pitree-guide": "#667085",
    "pitree-cursor": "#2b3547",
    "pitree-cursor-blurred": "#222a37",
    "pitree-frame": "#3a4252",
    "pitree-frame-focus": "#6f9bd1",
    "pitree-key": "#8fb8e8",
    "pitree-bar-system": "#8a93a8",
    "pitree-bar-summaries": "#d9a05b",
    "pitree-bar-user": "#7aa9e6",
    "pitree-bar-assistant": "#6cc3b4",
    "pitree-bar-thinking": "#a991d8",
    "pitree-bar-tool-calls": "#8fbf7f",
    "pitree-bar-tool-results": "#5f93a6",
    "pitree-bar-images": "#d08cae",
    "pitree-bar-not-in-file": "#6d7688",
    "pitree-bar-free": "#232a36",
    "pitree-bar-text": "#10141b",
    "pitree-bar-free-text": "#949eaf",
    "pitree-bar-threshold": "#ff8f73",
}

_LIGHT: Final[dict[str, str]] = {
    "pitree-path": "#1f5fa8",
    "pitree-abandoned": "#686f7d",
    "pitree-gone": "#6b7280",
    "pitree-leaf": "#2f7a1f",
    "pitree-label": "#876000",
    "pitree-hit": "#8a5a00",
    "pitree-fold": "#5b6475",
    "pitree-as-of": "#96590a",
    "pitree-problem": "#b3261e",
    "pitree-summarized": "#96590a",
    "pitree-prefix": "#7d5c12",
    "pitree-cut": "#b43c1e",
    "pitree-kept": "#0f766a",
    "pitree-unseen": "#6a7180",
    "pitree-ancestor": "#6a3fc0",
    "pitree-left": "#96590a",
    "pitree-dropped": "#b3261e",
    "pitree-left-out": "#656d7b",
    "pitree-target": "#0b6199",
    "pitree-new-leaf": "#2f7a1f",
    "pitree-changed": "#8a5a00",
    "pitree-user": "#1d4f91",
    "pitree-assistant": "#262c36",
    "pitree-tool": "#566072",
    "pitree-summary": "#8a5410",
    "pitree-quiet": "#636b79",
    "pitree-rule": "#686f7d",
    "pitree-guide": "#8e96a5",
    "pitree-cursor": "#d5e2f3",
    "pitree-cursor-blurred": "#e4e8ee",
    "pitree-frame": "#c3c9d3",
    "pitree-frame-focus": "#3f78bd",
    "pitree-key": "#1f5fa8",
    "pitree-bar-system": "#b4bccb",
    "pitree-bar-summaries": "#efc489",
    "pitree-bar-user": "#a6c8f4",
    "pitree-bar-assistant": "#8fd8cb",
    "pitree-bar-thinking": "#cdbcf0",
    "pitree-bar-tool-calls": "#b3dba6",
    "pitree-bar-tool-results": "#9cc7d6",
    "pitree-bar-images": "#ecb8d2",
    "pitree-bar-not-in-file": "#c5cad4",
    "pitree-bar-free": "#eceff4",
    "pitree-bar-text": "#1a2029",
    "pitree-bar-free-text": "#5d6573",
    "pitree-bar-threshold": "#b43c1e",
}

DARK: Final = Theme(
    name=DARK_NAME,
    primary="#6f9bd1",
    secondary="#6cc3b4",
    accent="#ff8f73",
    warning="#e0a458",
    error="#f28b82",
    success="#9ece8a",
    foreground="#d5dae3",
    background="#151a22",
    surface="#1a202a",
    panel="#222935",
    dark=True,
    variables={
        **_DARK,
        "footer-key-foreground": "#8fb8e8",
        "scrollbar": "#39424f",
        "scrollbar-hover": "#4b5666",
        "scrollbar-active": "#6f9bd1",
        "scrollbar-background": "#151a22",
        "scrollbar-background-hover": "#151a22",
        "scrollbar-background-active": "#151a22",
        "scrollbar-corner-color": "#151a22",
        "border": "#6f9bd1",
        "border-blurred": "#3a4252",
    },
)

LIGHT: Final = Theme(
    name=LIGHT_NAME,
    primary="#3f78bd",
    secondary="#0f766a",
    accent="#b43c1e",
    warning="#96590a",
    error="#b3261e",
    success="#2f7a1f",
    foreground="#262c36",
    background="#fafbfc",
    surface="#f3f5f8",
    panel="#e9edf2",
    dark=False,
    variables={
        **_LIGHT,
        "footer-key-foreground": "#1f5fa8",
        "scrollbar": "#c3c9d3",
        "scrollbar-hover": "#aab2bf",
        "scrollbar-active": "#3f78bd",
        "scrollbar-background": "#fafbfc",
        "scrollbar-background-hover": "#fafbfc",
        "scrollbar-background-active": "#fafbfc",
        "scrollbar-corner-color": "#fafbfc",
        "border": "#3f78bd",
        "border-blurred": "#c3c9d3",
    },
)

THEMES: Final = (DARK, LIGHT)


def variable_defaults(*, dark: bool = True) -> dict[str, str]:
    """The `$pitree-…` variables for a theme that is not ours.

    Args:
        dark: Whether that theme is a dark one.

    Returns:
        Variable names without `$`, and colors; for `App.get_theme_variable_defaults`.
    """
    return dict(_DARK if dark else _LIGHT)
