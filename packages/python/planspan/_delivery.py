"""Sends spans with OpenTelemetry's OTLP exporter. Nobody waits for a receiver that cannot be reached."""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import requests
from opentelemetry.exporter.otlp.proto.http import trace_exporter
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

_logger = logging.getLogger("planspan")
_own_exports = threading.local()
_LAST_TIMEOUTS = (1, 5)
"""The seconds for the connection and the response of a request when the process ends."""


class _Session(requests.Session):
    problem = ""
    """Why the latest request failed."""
    is_closing = False

    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        if self.is_closing:
            kwargs["timeout"] = _LAST_TIMEOUTS
        try:
            response = super().request(*args, **kwargs)
        except requests.RequestException as error:
            self.problem = type(error).__name__
            if self.is_closing:
                # The exporter does not repeat a request after another class of error.
                raise requests.RequestException(self.problem) from error
            raise
        self.problem = "" if response.ok else f"{response.status_code} {response.reason}"
        return response


class Delivery(SpanExporter):
    """An exporter that logs each outage once, and has connections of its own after a fork."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url, self._headers = url, headers
        self._is_failing = False
        self._connect()
        # The exporter's own messages would repeat every few seconds.
        logging.getLogger(trace_exporter.__name__).addFilter(lambda _: not getattr(_own_exports, "active", False))
        if hasattr(os, "register_at_fork"):
            own = weakref.WeakMethod(self._connect)
            os.register_at_fork(after_in_child=lambda: (connect := own()) and connect())

    def _connect(self) -> None:
        self._session = _Session()
        self._otlp = trace_exporter.OTLPSpanExporter(self._url, headers=dict(self._headers), session=self._session)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        if self._session.is_closing and self._session.problem:
            return SpanExportResult.FAILURE
        _own_exports.active = True
        try:
            result = self._otlp.export(spans)
        except requests.RequestException:  # Older exporters raise it.
            result = SpanExportResult.FAILURE
        finally:
            _own_exports.active = False
        if result is SpanExportResult.SUCCESS:
            self._is_failing = False
        elif not self._is_failing:
            self._is_failing = True
            _logger.warning(
                "planspan: spans are lost, because %s does not accept them (%s). Start `planspan serve`, or set "
                "OTEL_EXPORTER_OTLP_ENDPOINT. Logged once per outage.",
                self._url,
                self._session.problem or "no response",
            )
        return result

    def close(self) -> None:
        """Ends repeated attempts: what remains is sent once, and not at all if the latest request failed."""
        self._session.is_closing = True
        if self._session.problem:
            self._otlp.shutdown()  # type: ignore[no-untyped-call]

    def shutdown(self) -> None:
        if not (self._session.is_closing and self._session.problem):
            self._otlp.shutdown()  # type: ignore[no-untyped-call]

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return True
