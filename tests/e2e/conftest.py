"""The installed releases of pi, each with a model on loopback of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.e2e.pi import Pi
from tests.e2e.provider import Provider
from tests.oracle.installation import RELEASES, MissingError, find


@pytest.fixture(scope="session", params=list(RELEASES))
def pi(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pi]:
    """A release of pi; without it the test is skipped, but in CI it fails."""
    try:
        installation = find(request.param)
    except MissingError as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI is set, so pi is needed. {error}")
        pytest.skip(str(error))
    with Provider() as provider, Pi(installation, tmp_path_factory.mktemp("pi"), provider) as running:
        yield running
