from dataclasses import dataclass
from math import inf
from threading import Event, Thread
from time import monotonic, time_ns

from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import SpanContext, format_span_id

SHOWN_ROLES = {"plan", "planning", "wait", "agent", "think_act", "tool"}


@dataclass
class OpenSpan:
    span: Span
    heartbeat: float
    content: tuple = ()
    sent_at: float = 0
    snapshots: int = 0


class PendingSpanProcessor(SpanProcessor):
    """Shows plans while they run: passes snapshots of changed open spans, and heartbeats of each plan, to the exporting
    processor. Copy it into your program and register it before that processor. It recognizes a span by the attributes
    that the span has at its start."""

    def __init__(self, exporting, interval=0.5, heartbeat=10):
        self._exporting, self._interval, self._heartbeat = exporting, interval, heartbeat
        self._ids = RandomIdGenerator()
        self._open = {}
        self._stopped = Event()
        Thread(target=self._run, daemon=True).start()

    def on_start(self, span, parent_context=None):
        role = span.attributes.get("planspan.span.kind")
        if role == "plan":
            span.set_attribute("planspan.heartbeat.interval_ms", int(3000 * self._heartbeat))
        # Includes other instrumentation below shown spans, so that the tree stays connected.
        if role in SHOWN_ROLES or (role is None and span.parent and span.parent.span_id in self._open):
            self._open[span.context.span_id] = OpenSpan(span, self._heartbeat if role == "plan" else inf)

    def on_end(self, span):
        self._open.pop(span.context.span_id, None)

    def shutdown(self):
        self._stopped.set()

    def _run(self):
        while not self._stopped.wait(self._interval):
            for shown in list(self._open.values()):
                content = (shown.span.attributes.copy(), shown.span.events, shown.span.status.status_code)
                if content != shown.content or monotonic() - shown.sent_at >= shown.heartbeat:
                    shown.content, shown.sent_at = content, monotonic()
                    self._exporting.on_end(self._snapshot(shown))

    def _snapshot(self, shown):
        span, real, (attributes, events, _) = shown.span, shown.span.context, shown.content
        shown.snapshots += 1
        pending = {
            "planspan.span.state": "pending",
            "planspan.pending.span_id": format_span_id(real.span_id),
            "planspan.pending.parent_span_id": format_span_id(span.parent.span_id) if span.parent else "",
            "planspan.snapshot.seq": shown.snapshots - 1,
        }
        return ReadableSpan(
            name=span.name,
            context=SpanContext(real.trace_id, self._ids.generate_span_id(), False, real.trace_flags, real.trace_state),
            parent=real,
            resource=span.resource,
            attributes={**attributes, **pending},
            events=events,
            links=span.links,
            kind=span.kind,
            status=span.status,
            start_time=span.start_time,
            end_time=time_ns(),
            instrumentation_scope=span.instrumentation_scope,
        )
