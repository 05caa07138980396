"""The stories, for runners in Python: `python NAME/play.py ENDPOINT MODEL STORY` with this folder in PYTHONPATH."""

import asyncio
import json
import sys
from pathlib import Path
from types import SimpleNamespace

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

endpoint, model_url, _name = sys.argv[1:]
_stories = json.loads((Path(__file__).parent / "stories.json").read_text())
_trace_ids = {}


class _Traces(SpanProcessor):
    """Notes the ids of all traces."""

    def on_start(self, span, parent_context=None):
        _trace_ids[format(span.get_span_context().trace_id, "032x")] = None


def span_processors():
    return [_Traces(), BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{endpoint}/v1/traces"))]


def start_telemetry(service):
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    for processor in span_processors():
        provider.add_span_processor(processor)
    trace.set_tracer_provider(provider)
    return provider


def _agent(name, agent):
    keys = ("result", "error", "agent", "handoff")
    tools = [
        SimpleNamespace(name=tool_name, **{key: tool.get(key) for key in keys})
        for tool_name, tool in agent["tools"].items()
    ]
    return SimpleNamespace(name=name, instructions=agent["instructions"], tools=tools)


def play(run):
    """Plays the story, and prints the answer and the ids of its traces."""
    story = _stories[_name]
    agents = {name: _agent(name, agent) for name, agent in story["agents"].items()}
    answer = run(SimpleNamespace(request=story["request"], agents=agents, first=next(iter(agents.values()))))
    if asyncio.iscoroutine(answer):
        answer = asyncio.run(answer)
    print(json.dumps({"traceIds": list(_trace_ids), "answer": answer}))
    trace.get_tracer_provider().shutdown()
