"""my-deep-research's own model and scripts read review logs."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from answer import answer, expect_same, lines_of

sys.path.insert(0, sys.argv[1])
from scripts.replay_review_log import replay_log  # noqa: E402
from scripts.validate_review_log import run_validation  # noqa: E402
from src.models.persistence import PlanRunRecord  # noqa: E402


def read_review_log(text: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        log_path = Path(directory, "plans.jsonl")
        log_path.write_text(text, encoding="utf-8")
        found = run_validation(log_path, output_dir=Path(directory))["results"]
        if found["invalid"] or found["valid"] == 0:
            raise ValueError(json.dumps(found["invalid"]))
        summary = replay_log(log_path, output_dir=Path(directory))["summary"]
        if summary["selected_record"] is None:
            raise ValueError(json.dumps(summary["validation_errors"]))
    for line in lines_of(text):
        written = json.loads(line)
        again = PlanRunRecord.model_validate_json(line).model_dump(mode="json")
        # It ignores other keys, strips its texts, and writes a time in pydantic's way.
        del written["timestamp"]
        written.pop("planspan", None)
        for key in ("question", "locale", "context"):
            written[key] = written[key].strip()
        for entry in written["review_log"]:
            entry["feedback"] = entry["feedback"].strip()
        expect_same(written, again)


answer({"review-log": read_review_log})
