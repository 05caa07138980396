"""Sets up tracing: for programs without an OpenTelemetry SDK, and beside one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from multiprocessing import util
from typing import TYPE_CHECKING, TypedDict

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from ._conventions import Attr
from ._delivery import Delivery
from ._drops import drop, warn_once
from ._processors import PendingSpanProcessor, PlanspanProcessor
from ._values import capture_content, drop_unknown

if TYPE_CHECKING:
    from typing_extensions import Unpack

_DEFAULT_ENDPOINT = "http://127.0.0.1:4318"
_BATCH = {
    "OTEL_BSP_SCHEDULE_DELAY": ("schedule_delay_millis", 250),
    "OTEL_BSP_MAX_QUEUE_SIZE": ("max_queue_size", 65_536),
}
_registered: TracerProvider | None = None


class RegisterOptions(TypedDict, total=False):
    endpoint: str
    """The base URL of the OTLP/HTTP receiver. @default OTEL_EXPORTER_OTLP_ENDPOINT, else http://127.0.0.1:4318"""
    url: str
    """The full URL for traces. @default OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, else the endpoint and /v1/traces"""
    token: str
    """An access token of the receiver, sent as `authorization: Bearer …`."""
    headers: Mapping[str, str]
    """Headers of every request, added to those of OTEL_EXPORTER_OTLP_HEADERS."""
    service_name: str
    """@default OTEL_SERVICE_NAME"""
    heartbeat: float
    """The seconds between two signs of life of an open plan. After three without one it is interrupted. @default 10"""
    capture_content: bool
    """Whether content is captured. @default OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, else true"""


_TYPES: dict[str, type | tuple[type, ...]] = {
    "endpoint": str,
    "url": str,
    "token": str,
    "headers": Mapping,
    "service_name": str,
    "heartbeat": (int, float),
    "capture_content": bool,
}


class _Batch(BatchSpanProcessor):
    def __init__(self, delivery: Delivery) -> None:
        given = {name: value for variable, (name, value) in _BATCH.items() if variable not in os.environ}
        super().__init__(delivery, **given)  # type: ignore[arg-type]
        self._delivery = delivery

    def shutdown(self) -> None:
        self._delivery.close()
        super().shutdown()  # type: ignore[no-untyped-call]


def register(**options: Unpack[RegisterOptions]) -> TracerProvider | None:
    """Sends spans to planspan, with plans that are visible while they run. It adds planspan's processors to an
    OpenTelemetry SDK that is set up already, and otherwise sets one up, without span limits. A second call returns the
    first provider. With OTEL_SDK_DISABLED=true, or with a URL that is none, it does nothing and returns None."""
    global _registered
    if _registered is None and os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() != "true":
        try:
            _registered = _start(_valid(options))
        except Exception as error:  # An agent runs without tracing rather than not at all.
            warn_once(f"planspan: register() failed, and nothing is recorded: {type(error).__name__}: {error}")
    return _registered


def flush() -> None:
    """Sends all ended spans. Call it before os._exit(), and before a serverless function is frozen."""
    provider = trace.get_tracer_provider()
    if isinstance(provider, TracerProvider):
        provider.force_flush()


def _valid(options: Mapping[str, object]) -> RegisterOptions:
    valid = RegisterOptions()
    for name, value in options.items():
        if name not in _TYPES:
            drop_unknown("register()", name, _TYPES)
        elif isinstance(value, _TYPES[name]):
            valid[name] = value  # type: ignore[literal-required]
        elif value is not None:
            drop("option", f"{name} of register()", f"it has the type {type(value).__name__}")
            if name == "capture_content":
                valid["capture_content"] = False
    return valid


def _start(options: RegisterOptions) -> TracerProvider | None:
    url = _url(options)
    if not url.startswith(("http://", "https://")):
        warn_once(f"planspan: {url} is not a URL that starts with http:// or https://, and nothing is recorded")
        return None
    if "capture_content" in options:
        capture_content(options["capture_content"])
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        name = options.get("service_name")
        resource = Resource.create({Attr.SERVICE_NAME: name} if name else {})
        # The SDK's default limits of 128 silently cut long runs.
        unset = SpanLimits.UNSET
        limits = SpanLimits(unset, unset, unset, unset, unset, unset, unset, unset)
        provider = TracerProvider(resource=resource, span_limits=limits)
        trace.set_tracer_provider(provider)
    headers = {**options.get("headers", {})}
    if "token" in options:
        headers["authorization"] = f"Bearer {options['token']}"
    provider.add_span_processor(PlanspanProcessor())
    heartbeat = options.get("heartbeat", 10.0)
    pending = PendingSpanProcessor(_Batch(Delivery(url, headers)), heartbeat=heartbeat)
    provider.add_span_processor(pending)
    # Processes of multiprocessing end without the handlers of atexit.
    util.register_after_fork(pending, lambda own: util.Finalize(None, own.shutdown, exitpriority=10))
    return provider


def _url(options: RegisterOptions) -> str:
    if url := options.get("url"):
        return url
    traces = None if "endpoint" in options else os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    base = options.get("endpoint") or os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or _DEFAULT_ENDPOINT
    return traces or f"{base.rstrip('/')}/v1/traces"
