"""The stories, for runners in Python: `python NAME/play.py ENDPOINT MODEL STORY` with this folder in PYTHONPATH."""

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

from opentelemetry import _logs, trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

endpoint, model_url, _name = sys.argv[1:]
_stories = json.loads((Path(__file__).parent / "stories.json").read_text())
_trace_ids = {}


class Traces(SpanProcessor):
    """Notes the ids of all traces."""

    def on_start(self, span, parent_context=None):
        _trace_ids[format(span.get_span_context().trace_id, "032x")] = None


def span_processors():
    return [Traces(), BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{endpoint}/v1/traces"))]


def start_telemetry(service, processors=None):
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    for processor in processors or span_processors():
        provider.add_span_processor(processor)
    trace.set_tracer_provider(provider)
    return provider


# Where OpenTelemetry's own instrumentations write messages.
CAPTURES = ("span_only", "event_only", "span_and_event")


def start_official_telemetry(service, *instrumentors, processors=None):
    """Starts OpenTelemetry's own instrumentations, which write messages to the places that VARIANT names."""
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = os.environ["VARIANT"]
    start_telemetry(service, processors)
    logs = LoggerProvider(resource=Resource.create({"service.name": service}))
    logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter(endpoint=f"{endpoint}/v1/logs")))
    _logs.set_logger_provider(logs)
    for instrumentor in instrumentors:
        instrumentor().instrument()


def function_of(tool, ask=None, agents=None):
    """Returns a tool as a function, for frameworks that read its name, text and signature."""

    def run(query: str) -> str:
        if tool.error:
            raise RuntimeError(tool.error)
        return tool.result

    async def delegate(input: str) -> str:
        return await ask(agents[tool.agent], agents, input)

    function = delegate if tool.agent else run
    function.__name__ = function.__qualname__ = function.__doc__ = tool.name
    return function


def _agent(name, agent):
    keys = ("result", "error", "agent", "handoff", "approval")
    tools = [
        SimpleNamespace(name=tool_name, **{key: tool.get(key) for key in keys})
        for tool_name, tool in agent["tools"].items()
    ]
    return SimpleNamespace(
        name=name, instructions=agent["instructions"], guardrail=agent.get("guardrail"), tools=tools
    )


def play(run):
    """Plays the story with `run`, and prints the answers, an error that ended it, and the ids of its traces."""
    asyncio.run(_play(run))
    trace.get_tracer_provider().shutdown()
    if hasattr(_logs.get_logger_provider(), "shutdown"):
        _logs.get_logger_provider().shutdown()


async def _play(run):
    keys = ("workflow", "stream", "answers", "limit", "conversation", "cancelled")
    told = _stories[_name]
    agents = {name: _agent(name, agent) for name, agent in told["agents"].items()}
    story = SimpleNamespace(agents=agents, first=next(iter(agents.values())), **{key: told.get(key) for key in keys})
    answers, error = [], None
    try:
        for request in [told["request"], *told.get("then", [])]:
            story.request = request
            answers.append(await (_cancelled(run(story)) if story.cancelled else run(story)))
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    # The framework may have left an unfinished line.
    print("\n" + json.dumps({"traceIds": list(_trace_ids), "answers": answers, "error": error}))


async def _cancelled(run):
    """Cancels a run while the model is silent."""
    task = asyncio.ensure_future(run)
    await asyncio.to_thread(lambda: urlopen(f"{model_url}/delayed").read())
    task.cancel()
    with suppress(asyncio.CancelledError):
        return await task
