"""Says of each JSON document on standard input, a line each, why the models of others refuse it; nothing if they take it."""

import json
import sys

from atif import Trajectory
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from openapi_spec_validator import validate
from openapi_spec_validator.validation.exceptions import OpenAPIValidationError
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client import parser as prometheus
from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import NotRequired, Required, TypedDict


@with_config(ConfigDict(extra="forbid"))
class Line(TypedDict):
    """A line of a file for fine-tuning: https://platform.openai.com/docs/api-reference/fine-tuning/chat-input"""

    messages: Required[list[ChatCompletionMessageParam]]
    tools: NotRequired[list[ChatCompletionToolParam]]


LINE = TypeAdapter(Line)


def check_chat(document):
    for message in document["messages"]:
        # The package has no type for the key that fine-tuning alone knows.
        if message["role"] == "assistant" and message.pop("weight", 0) not in (0, 1):
            raise ValueError("a weight is 0 or 1")
    # Those of calls and of contents are iterables, which pydantic looks through only when they are read.
    for message in LINE.validate_python(document)["messages"]:
        content = message.get("content")
        for _ in content if content is not None and not isinstance(content, str) else []:
            pass
        for call in message.get("tool_calls") or []:
            json.loads(call["function"]["arguments"])


def check_metrics(parser):
    def check(text):
        if not list(parser.text_string_to_metric_families(text)):
            raise ValueError("no metric")

    return check


CHECKS = {
    "atif": Trajectory.model_validate,
    "chat": check_chat,
    "openapi": validate,
    "openmetrics": check_metrics(openmetrics),
    "prometheus": check_metrics(prometheus),
}

for line in sys.stdin:
    try:
        CHECKS[sys.argv[1]](json.loads(line))
        print()
    except (OpenAPIValidationError, ValidationError, ValueError, KeyError) as error:
        print(" ".join(str(error).split())[:300])
