"""Converts chat messages of OpenAI, Anthropic and Gemini, and their responses, to the messages of the GenAI conventions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]

_ROLES = {"model": "assistant", "function": "tool"}
_TEXTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
_CALLS = {"tool_use", "function", "function_call", "custom_tool_call", "server_tool_use"}
_RESULTS = {"tool_result", "function_call_output", "custom_tool_call_output"}
_KINDS = {*_TEXTS, *_CALLS, *_RESULTS, "thinking", "reasoning", "message", "tool_call", "tool_call_response"}


def messages_of(value: object, speaker: str) -> list[Data]:
    """Returns a text, a message, a list of messages or a provider's whole response as messages."""
    if isinstance(value, Mapping):
        if _has_list(value, "choices"):
            return [
                _message({**choice.get("message", {}), **_reason(choice)}, "assistant") for choice in value["choices"]
            ]
        if _has_list(value, "candidates"):
            return [
                _message({**candidate.get("content", {}), **_reason(candidate)}, "assistant")
                for candidate in value["candidates"]
            ]
        if _has_list(value, "output"):
            return [{"role": "assistant", "parts": [part for item in value["output"] for part in _parts(item)]}]
        if "role" in value and ("content" in value or "parts" in value or "tool_calls" in value):
            return [_message(value, speaker)]
    if isinstance(value, list) and value and all(isinstance(item, Mapping) and "role" in item for item in value):
        return [_message(item, speaker) for item in value]
    items = value if isinstance(value, list) else [value]
    if isinstance(value, str) or (
        items and all(isinstance(item, Mapping) and item.get("type") in _KINDS for item in items)
    ):
        return [{"role": speaker, "parts": _parts(value)}]
    return [{"role": speaker, "parts": _parts(json.dumps(value, ensure_ascii=False, separators=(",", ":")))}]


def instructions_of(value: object) -> list[Data]:
    """Returns system instructions as parts."""
    is_message = isinstance(value, Mapping) and ("content" in value or "parts" in value) and "type" not in value
    return list(messages_of(value, "system")[0]["parts"]) if is_message else _parts(value)


def _has_list(data: Data, key: str) -> bool:
    items = data.get(key)
    return isinstance(items, list) and len(items) > 0 and all(isinstance(item, Mapping) for item in items)


def _reason(choice: Data) -> Data:
    reason = choice.get("finish_reason") or choice.get("finishReason")
    return {"finish_reason": str(reason)} if reason else {}


def _message(data: Data, speaker: str) -> Data:
    role = str(data.get("role") or speaker)
    reason = data.get("finish_reason") or data.get("stop_reason")
    ended = {"finish_reason": reason} if reason else {}
    content = data.get("content") if data.get("parts") is None else data["parts"]
    if data.get("tool_call_id") is not None or role == "function":
        parts = [_result(data)]
    else:
        thought = data.get("reasoning_content") or data.get("reasoning")
        reasoning = [{"type": "reasoning", "content": thought}] if isinstance(thought, str) else []
        calls = data.get("tool_calls") or []
        parts = [*reasoning, *_parts(content), *_parts(data.get("refusal")), *[_call(call) for call in calls]]
    return {"role": _ROLES.get(role, role), "parts": parts, **ended}


def _parts(content: object) -> list[Data]:
    if isinstance(content, list):
        return [part for item in content for part in _parts(item)]
    if content is None:
        return []
    if not isinstance(content, Mapping):
        return [{"type": "text", "content": content if isinstance(content, str) else str(content)}]
    kind = content.get("type")
    if kind == "message":
        return _parts(content.get("content"))
    text = content.get(_TEXTS.get(str(kind), "text"))
    if (kind is None or kind in _TEXTS) and isinstance(text, str):
        return [{"type": "reasoning" if content.get("thought") else "text", "content": text}]
    if kind == "thinking":
        return [{"type": "reasoning", "content": content.get("thinking")}]
    if kind == "reasoning" and "content" not in content:
        return [{"type": "reasoning", "content": item.get("text")} for item in content.get("summary") or []]
    for name, convert in (
        ("function_call", _call),
        ("functionCall", _call),
        ("function_response", _result),
        ("functionResponse", _result),
    ):
        if kind is None and isinstance(content.get(name), Mapping):
            return [convert(content[name])]
    return [_call(content) if kind in _CALLS else _result(content) if kind in _RESULTS else content]


def _call(call: Data) -> Data:
    named = call.get("function") or call.get("custom") or call
    given = next((named[key] for key in ("arguments", "args", "input") if named.get(key) is not None), None)
    return {"type": "tool_call", **_id(call, "call_id", "id"), "name": named.get("name"), "arguments": given}


def _result(result: Data) -> Data:
    given = next((result[key] for key in ("content", "output", "response") if result.get(key) is not None), None)
    parts = _parts(given) if isinstance(given, list) else []
    texts = [part["content"] for part in parts if part.get("type") == "text"]
    response = "\n".join(texts) if texts and len(texts) == len(parts) else given
    return {
        "type": "tool_call_response",
        **_id(result, "tool_call_id", "tool_use_id", "call_id", "id"),
        "response": response,
    }


def _id(data: Data, *names: str) -> Data:
    found = next((data[name] for name in names if data.get(name) is not None), None)
    return {} if found is None else {"id": found}
