"""Asks a real V8 what JavaScript answers, where Node.js is at hand."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from tests.oracle.installation import MissingError, find_node


def ask_node(expression: str, values: list[Any]) -> list[Any]:
    """Return the list that a JavaScript expression over `values` gives, with UTC as the local time.

    NaN comes back as None. The calling test is skipped where Node.js is missing.
    """
    try:
        node = find_node()
    except MissingError as missing:
        pytest.skip(str(missing))
    script = (
        f"const values = JSON.parse(require('fs').readFileSync(0, 'utf8')); console.log(JSON.stringify({expression}))"
    )
    done = subprocess.run(
        [node, "-e", script],
        input=json.dumps(values),
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"TZ": "UTC"},
    )
    answer = json.loads(done.stdout)
    assert isinstance(answer, list)
    return answer
