"""The span processors. Both are safe over fork: a child forgets its parent's open spans."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic, time_ns

from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import SpanContext, format_span_id

from ._conventions import PENDING, Attr
from ._drops import drop, quietly
from ._spans import span_of

_TICK = 0.1
_ANNOUNCED_HEARTBEATS = 3
_CHARS_PER_SECOND = 64_000
_SHOWN_ROLES = {"plan", "planning", "wait", "agent", "think_act", "tool"}


class PlanspanProcessor(SpanProcessor):
    """Copies the ids of the plan onto the spans of other instrumentations. Add it before the exporting processor."""

    @quietly
    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        above = span_of(parent_context)
        if above is not None and above.plan is not None and Attr.PLAN_ID not in (span.attributes or {}):
            span.set_attributes({**above.plan.identity, Attr.WITHIN: above.role})


@dataclass(eq=False)
class _OpenSpan:
    span: Span
    parent: _OpenSpan | None
    rests_until: float
    heartbeat: float
    shown: bool = False
    content: tuple[object, ...] = ()
    sent_at: float = 0.0
    snapshots: int = 0

    def show(self) -> None:
        """Shows this span and the spans above it, so that its place in the tree is visible."""
        above: _OpenSpan | None = self
        while above is not None and not above.shown:
            above.shown = True
            above = above.parent


class PendingSpanProcessor(SpanProcessor):
    """Shows plans while they run: passes snapshots of open spans to the exporting processor when they change, and
    heartbeats of each plan. It recognizes a span by the attributes that the span has at its start."""

    def __init__(
        self,
        exporting: SpanProcessor | SpanExporter,
        *,
        snapshot_interval: float = 0.5,
        heartbeat: float = 10.0,
        max_open_spans: int = 10_000,
    ) -> None:
        if isinstance(exporting, SpanExporter):
            exporting = BatchSpanProcessor(exporting, schedule_delay_millis=250)
        self._next = exporting
        self._interval, self._heartbeat, self._max_open_spans = snapshot_interval, heartbeat, max_open_spans
        self._ids = RandomIdGenerator()
        self._start_anew()
        if hasattr(os, "register_at_fork"):
            own = weakref.WeakMethod(self._start_anew)
            os.register_at_fork(after_in_child=lambda: (start := own()) and start())

    def _start_anew(self) -> None:
        self._open: dict[int, _OpenSpan] = {}
        self._lock = Lock()
        self._stopped = Event()
        self._thread: Thread | None = None

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        self._started(span)
        self._next.on_start(span, parent_context)

    def on_end(self, span: ReadableSpan) -> None:
        if span.context is not None:
            self._open.pop(span.context.span_id, None)
        self._next.on_end(span)

    def shutdown(self) -> None:
        self._stopped.set()
        self._open.clear()
        self._next.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        self._tick(is_flush=True)
        return self._next.force_flush(timeout_millis)

    @quietly
    def _started(self, span: Span) -> None:
        attributes = span.attributes or {}
        parent = self._open.get(span.parent.span_id) if span.parent else None
        if parent is None and Attr.PLAN_ID not in attributes:
            return
        if len(self._open) >= self._max_open_spans:
            drop("value", f"the view of {span.name} while it is open", "too many spans are open; raise max_open_spans")
            return
        role = attributes.get(Attr.SPAN_KIND)
        heartbeat = self._heartbeat if role == "plan" else float("inf")
        open_span = _OpenSpan(span, parent, monotonic() + _TICK, heartbeat)
        if role == "plan":
            span.set_attribute(Attr.HEARTBEAT_INTERVAL_MS, int(1000 * _ANNOUNCED_HEARTBEATS * self._heartbeat))
        if role in _SHOWN_ROLES:
            open_span.show()
        with self._lock:
            self._open[span.context.span_id] = open_span
            if self._thread is None and not self._stopped.is_set():
                self._thread = Thread(target=self._run, name="planspan-snapshots", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        stopped = self._stopped
        while not stopped.wait(_TICK):
            with self._lock:
                if not self._open:
                    self._thread = None
                    return
            self._tick()

    @quietly
    def _tick(self, is_flush: bool = False) -> None:
        now = monotonic()
        for open_span in list(self._open.values()):
            if open_span.shown and (is_flush or now >= open_span.rests_until):
                self._show(open_span, now)

    @quietly
    def _show(self, open_span: _OpenSpan, now: float) -> None:
        span = open_span.span
        # The copy holds the lock of the attributes, which other threads set meanwhile.
        attributes: dict[str, object] = span.attributes.copy() if span.attributes else {}  # type: ignore[attr-defined]
        content = (attributes, len(span.events), span.status.status_code)
        if content == open_span.content and now - open_span.sent_at < open_span.heartbeat:
            return
        open_span.content, open_span.sent_at = content, now
        # A large span is shown less often.
        rest = max(self._interval, sum(_chars(value) for value in attributes.values()) / _CHARS_PER_SECOND)
        open_span.rests_until = now + min(rest, self._heartbeat)
        self._next.on_end(self._snapshot(open_span, attributes))

    def _snapshot(self, open_span: _OpenSpan, attributes: Mapping[str, object]) -> ReadableSpan:
        span, real = open_span.span, open_span.span.context
        open_span.snapshots += 1
        pending = {
            Attr.SPAN_STATE: PENDING,
            Attr.PENDING_SPAN_ID: format_span_id(real.span_id),
            Attr.PENDING_PARENT_SPAN_ID: format_span_id(span.parent.span_id) if span.parent else "",
            Attr.SNAPSHOT_SEQ: open_span.snapshots - 1,
        }
        return ReadableSpan(
            name=span.name,
            context=SpanContext(real.trace_id, self._ids.generate_span_id(), False, real.trace_flags, real.trace_state),
            parent=real,
            resource=span.resource,
            attributes={**attributes, **pending},  # type: ignore[dict-item]
            events=span.events,
            links=span.links,
            kind=span.kind,
            status=span.status,
            start_time=span.start_time,
            end_time=max(time_ns(), span.start_time or 0),
            instrumentation_scope=span.instrumentation_scope,
        )


def _chars(value: object) -> int:
    return len(value) if isinstance(value, (str, tuple, list)) else 0
