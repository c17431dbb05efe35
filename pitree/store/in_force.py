"""Which rules, settings and window are in force for a session, and where each came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pitree.context.projection import settings_at
from pitree.planning.rules import RULES, Rules
from pitree.planning.settings import Settings
from pitree.session.javascript import get
from pitree.session.session import Session
from pitree.store.findings import Finding
from pitree.store.locations import Environment
from pitree.store.models import ModelFacts, model_window
from pitree.store.pi_settings import PiSettings, read_settings


@dataclass(frozen=True, slots=True)
class Flags:
    """What the command line says; None where it says nothing. Tokens; `reserve` stands for both reserves."""

    rules: str | None = None
    window: int | None = None
    reserve: int | None = None
    keep_recent: int | None = None


@dataclass(frozen=True, slots=True)
class InForce:
    """What a plan of a session depends on.

    Attributes:
        rules: The release of pi that is followed.
        rules_origin: "--rules", or what was taken from pi's settings.
        settings: In tokens.
        origins: Setting name -> where it came from, in words.
        model: The provider and model at the leaf, or None.
        facts: What is known of that model.
        findings: What is wrong with pi's own files, or was ignored.
    """

    rules: Rules
    rules_origin: str
    settings: Settings
    origins: Mapping[str, str]
    model: tuple[str, str] | None
    facts: ModelFacts
    findings: tuple[Finding, ...]


def in_force(session: Session, environment: Environment, flags: Flags) -> InForce:
    """Find out what is in force at the last entry of a session; a demo or a broken file gets pi's defaults."""
    model = model_of(session)
    header = session.header
    cwd = get(header, "cwd")
    read = read_settings(environment, cwd if isinstance(cwd, str) else None, model=model)
    pi = read.with_flags(reserve=flags.reserve, keep_recent=flags.keep_recent)
    name = pi.rules if flags.rules in (None, "auto") else flags.rules
    facts = model_window(environment, *(model or (None, None)), window=flags.window)
    settings = Settings(
        enabled=pi.enabled,
        reserve_tokens=pi.reserve_tokens,
        keep_recent_tokens=pi.keep_recent_tokens,
        context_window=facts.window,
        branch_reserve_tokens=pi.branch_reserve_tokens,
    )
    origins = {**{key: str(origin.value) for key, origin in pi.origin.items()}, "context_window": facts.source}
    rules_origin = "--rules" if flags.rules not in (None, "auto") else _auto_origin(pi)
    return InForce(RULES[name or "1.6"], rules_origin, settings, origins, model, facts, (*pi.findings, *facts.findings))


def _auto_origin(pi: PiSettings) -> str:
    version = pi.last_changelog_version
    return f"auto: pi {version} ran here last" if version else "auto: no pi has run here"


def model_of(session: Session) -> tuple[str, str] | None:
    """The provider and the model at the last entry of a session, or None where it names none."""
    _, model = settings_at(session, session.path(session.last))
    provider, model_id = get(model, "provider"), get(model, "modelId")
    return (provider, model_id) if isinstance(provider, str) and isinstance(model_id, str) else None
