"""SafePred's own judge reads trajectories; its model is one that only looks at what it is asked."""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
from pathlib import Path
from types import ModuleType, SimpleNamespace

from answer import answer, lines_of

# The judge needs this package to ask a model over the network; here nobody asks one.
sys.modules["openai"] = ModuleType("openai")
sys.modules["openai"].OpenAI = object
sys.path.insert(0, f"{sys.argv[1]}/benchmark/os-harm")
from judge.methods import aer, plain_judge  # noqa: E402
from judge.run_task_alignment_analysis import format_trajectory_for_analysis, load_trajectory_data  # noqa: E402


class Model:
    """A model of OpenAI's client that keeps what it is shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))

    def _create(self, *, messages: list, **_: object) -> SimpleNamespace:
        self.shown.append(messages[0]["content"][1]["image_url"]["url"])
        message = SimpleNamespace(content="a window")
        return SimpleNamespace(choices=[SimpleNamespace(message=message)], model_dump=dict)


def read_traj(text: str) -> None:
    """The judge finds the last screenshot by traj.jsonl."""
    with run_directory() as directory:
        Path(directory, "traj.jsonl").write_text(text, encoding="utf-8")
        steps = [json.loads(line) for line in lines_of(text)]
        for name in {"step_0.png", *(step["screenshot_file"] for step in steps if "screenshot_file" in step)}:
            Path(directory, name).write_bytes(b"\x89PNG")
        model = Model()
        aer.get_caption(model, directory)
        if len(model.shown) != 1:
            raise ValueError("the judge was shown no last screenshot")


def read_trajectory(text: str) -> None:
    """The judge reads a trajectory's task and steps from better_log.json, which has them under the same keys."""
    trajectory = json.loads(text)
    instruction = trajectory["task_metadata"]["task_instruction"]
    log = {"task": {"instruction": instruction}, "steps": trajectory["steps"]}
    with run_directory() as directory:
        Path(directory, "better_log.json").write_text(json.dumps(log), encoding="utf-8")
        format_trajectory_for_analysis(load_trajectory_data(directory))
        aer.create_aer_chat_messages_from_trajectory(instruction, directory, "v3", client=Model())
        if all("a11y_tree" in step and "screenshot_file" in step for step in log["steps"]):
            plain_judge.create_chat_messages_from_trajectory(
                instruction, "a11y_tree", directory, "v3", client=Model()
            )


@contextlib.contextmanager
def run_directory():
    # The judge prints what it misses, where the answers go.
    with tempfile.TemporaryDirectory() as directory, contextlib.redirect_stdout(sys.stderr):
        yield directory


answer({"trajectory": read_trajectory, "trajectory:traj": read_traj})
