"""The spans of a plan: context managers and decorators. No method raises an error of its own."""

from __future__ import annotations

import asyncio
import os
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, TypeVar
from uuid import uuid4

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Link, SpanKind, Status, StatusCode

from . import _conventions as conventions
from ._conventions import FIELDS, OPERATIONS, SCHEMA_VERSION, SPAN_TYPES, Attr, Events, Field, LinkTypes
from ._decorators import record_calls
from ._drops import drop, quietly, warn_once
from ._usage import usage_of
from ._values import Attribute, content_captured, drop_unknown, encode, is_data, well_formed

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

Function = TypeVar("Function", bound=Callable[..., object])

_SCOPE = contexts.create_key("planspan-span")
_OPTIONS = {"guarded_by", "capture_return"}
"""The options that are not fields."""
_INTERRUPTIONS = (KeyboardInterrupt, SystemExit)
_CANCELLATIONS = (asyncio.CancelledError, GeneratorExit)


def span_of(context: Context | None) -> Span | None:
    """Returns the innermost planspan span of a context. @default the current context"""
    span = contexts.get_value(_SCOPE, context)
    return span if isinstance(span, Span) else None


def step_values(values: Mapping[str, object]) -> dict[str, object]:
    """Returns the titles of steps that are objects, beside the objects."""
    steps = values.get("steps")
    if not isinstance(steps, (list, tuple)) or not any(isinstance(step, Mapping) for step in steps):
        return {}
    objects = [step if isinstance(step, Mapping) else {"title": step} for step in steps]
    return {"steps": [step.get("title") or step.get("description") or step for step in objects], "steps_json": objects}


def _tracer() -> trace.Tracer:
    return trace.get_tracer(conventions.SCOPE_NAME, conventions.__version__, schema_url=conventions.SCHEMA_URL)


class Span:
    """A span of a plan, open while its `with` block or its decorated function runs."""

    role: ClassVar[str]
    _title: ClassVar[str]
    """What messages call it."""
    subject: ClassVar[str] = "name"
    """The field that the span is named after, which may be given without its name."""
    _returned: ClassVar[str | None] = None
    """The field that holds what a decorated function returns."""
    _asked: ClassVar[str | None] = None
    """The field that holds the decorated function's parameter of the same name."""
    _is_named: ClassVar[bool] = True
    """Whether that field is part of the span's name."""
    _stateful: ClassVar[bool] = False

    def __init__(self, values: Mapping[str, object]) -> None:
        self.given = dict(values)
        self._span: trace.Span = trace.INVALID_SPAN
        self._token: object | None = None
        self._state = "completed"
        self._written: set[str] = set()
        self._children: Counter[str] = Counter()
        self._lock = Lock()
        self._above: Span | None = None
        self.plan: Plan | None = None
        self._agent_name: str | None = None
        self._pid = 0
        self._seq = 0
        self._dropped = 0
        self._redacted: list[str] = []

    @classmethod
    def current(cls) -> Self:
        """Returns the innermost open span of this kind. Outside of any, it returns a span that records nothing."""
        span = span_of(None)
        while span is not None and not isinstance(span, cls):
            span = span._above
        return span if span is not None else cls({})

    def __enter__(self) -> Self:
        self._begin()
        self.activate()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.deactivate()
        self.finish(error)

    def __call__(self, function: Function) -> Function:
        return record_calls(self, function)

    @quietly
    def error(self, error: BaseException) -> None:
        """Records an error, and the state failed."""
        self._state = "failed"
        kind = type(error)
        name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        event: dict[str, Attribute] = {Attr.EXCEPTION_TYPE: name}
        self._put(Attr.ERROR_TYPE, name)
        message = None
        if content_captured():
            message = well_formed(str(error))
            self._put(Attr.ERROR_MESSAGE, message)
            event[Attr.EXCEPTION_MESSAGE] = message
            event[Attr.EXCEPTION_STACKTRACE] = well_formed("".join(traceback.format_exception(error)))
        else:
            self._redacted.append(Attr.ERROR_MESSAGE)
        self._span.set_status(Status(StatusCode.ERROR, message))
        self._span.add_event(Events.EXCEPTION, event)

    def fork(self) -> Self:
        """Returns a span with the same values that has not begun."""
        return type(self)(self.given)

    @quietly
    def called(self, function_name: str, arguments: Mapping[str, object]) -> None:
        """Receives the call of the decorated function, before the span begins."""
        if self.subject == "name" or self.subject == "workflow":
            self.given.setdefault(self.subject, function_name)
        if self._asked in arguments:
            self.given.setdefault(str(self._asked), arguments[str(self._asked)])

    @quietly
    def returned(self, result: object) -> None:
        """Receives what the decorated function returns."""
        if result is not None and self.given.get("capture_return") is not False:
            self._record_returned(result)

    @quietly
    def begin(self) -> None:
        """Starts the span of a decorated generator, which is active only while the generator runs."""
        self._begin()

    @quietly
    def activate(self) -> None:
        span = trace.set_span_in_context(self._span) if self._pid else contexts.get_current()
        self._token = contexts.attach(contexts.set_value(_SCOPE, self, span))

    @quietly
    def deactivate(self) -> None:
        if self._token is not None:
            contexts.detach(self._token)  # type: ignore[arg-type]

    @quietly
    def finish(self, error: BaseException | None = None) -> None:
        """Ends the span. A forked process that leaves its parent's `with` block does not end the parent's span."""
        if self._pid != os.getpid():
            return
        if isinstance(error, Exception):
            self.error(error)
        elif isinstance(error, (*_INTERRUPTIONS, *_CANCELLATIONS)):
            self._state = "interrupted" if isinstance(error, _INTERRUPTIONS) else "cancelled"
        try:
            self._ending()
            if self._stateful or self._state not in ("completed", "failed"):
                self._put(Attr.STATE, self._state)
            for role, count in self._children.items():
                self._put(Attr.CHILDREN_PREFIX + role, count)
            if self._dropped:
                self._put(Attr.DROPPED, self._dropped)
            if self._redacted:
                self._put(Attr.REDACTED_FIELDS, sorted(set(self._redacted)))
        finally:
            self._span.end()

    @quietly
    def _begin(self) -> None:
        self._above = above = span_of(None)
        self.plan = self._find_plan()
        attributes: dict[str, Attribute] = {
            Attr.OPERATION_NAME: OPERATIONS[self.role],
            Attr.OPENINFERENCE_SPAN_KIND: SPAN_TYPES[self.role],
        }
        # A forked process does not know the children that its parent counts.
        if above is not None and above._pid == os.getpid():
            self._seq = attributes[Attr.SEQ] = above._adopt(self.role)
        subject = self.given.get(self.subject)
        named = well_formed(subject) if isinstance(subject, str) and self._is_named else None
        if self.role != "plan":
            self._agent_name = named if self.role == "agent" else above._agent_name if above else None
            if self._agent_name is not None:
                attributes[Attr.AGENT_NAME] = self._agent_name
        self._starting()
        if self.plan is None:
            warn_once(f"planspan: {self._title} began outside of a plan; open a plan() around it")
        else:
            attributes |= {**self.plan.identity, Attr.SPAN_KIND: self.role, Attr.SCHEMA_VERSION: SCHEMA_VERSION}
        attributes |= self._encode(self.given)
        part = named if self.role != "think_act" else self._agent_name
        name = f"{OPERATIONS[self.role]} {part}" if part else OPERATIONS[self.role]
        kind = SpanKind.CLIENT if self.role == "llm" else SpanKind.INTERNAL
        self._span = _tracer().start_span(name, kind=kind, attributes=attributes, links=self._links())
        self._pid = os.getpid()
        self._began()

    def _record_returned(self, result: object) -> None:
        if self._returned is not None and self._returned not in self._written:
            self._write({self._returned: result})

    def _find_plan(self) -> Plan | None:
        return self._above.plan if self._above else None

    def _starting(self) -> None:
        """Completes the given values."""

    def _began(self) -> None:
        """Notifies the plan."""

    def _ending(self) -> None:
        """Writes the last values."""

    def _links(self) -> Sequence[Link]:
        return ()

    def _adopt(self, role: str) -> int:
        """Counts a child of a role, and returns its place among them."""
        with self._lock:
            self._children[role] += 1
            return self._children[role] - 1

    def _write(self, values: Mapping[str, object]) -> dict[str, Attribute]:
        """Writes values by the names of their fields, and returns the attributes."""
        if not self._pid or not self._span.is_recording():
            if self._pid and self._span.get_span_context().trace_flags.sampled:
                drop("ended", f"a value of {self._title} that has ended", "set values before the end")
            return {}
        attributes = self._encode(values)
        for key, value in attributes.items():
            self._put(key, value)
        return attributes

    def _encode(self, values: Mapping[str, object]) -> dict[str, Attribute]:
        fields = FIELDS[self.role]
        attributes: dict[str, Attribute] = {}
        for name, value in {**values, **step_values(values)}.items():
            field = fields.get(name)
            if value is None or name in _OPTIONS:
                continue
            if field is None:
                drop_unknown(self._title, name, fields)
                self._dropped += 1
            elif field.content and not content_captured():
                self._redacted.append(field.key)
            elif (attribute := self._encode_field(field, value)) is None:
                self._dropped += 1
            else:
                attributes[field.key] = attribute
                self._written.add(name)
        return attributes

    def _encode_field(self, field: Field, value: object) -> Attribute | None:
        try:
            return encode(field, value)
        except Exception as error:  # A property or a method of the value raised it.
            drop("value", field.key, f"the value could not be read ({type(error).__name__})")
            return None

    def _put(self, key: str, value: Attribute) -> None:
        self._span.set_attribute(key, value)


class Plan(Span):
    """One run of a plan (`invoke_workflow`). Inside a tool call, it is a sub-plan of that call."""

    role, _title, _stateful = "plan", "a plan", True
    subject, _asked = "workflow", "request"
    identity: dict[str, Attribute] = {}
    _revision = 0
    _reviews = 0

    @property
    def plan_id(self) -> str:
        """The id under which the plan's record is found."""
        return str(self.identity.get(Attr.PLAN_ID, ""))

    @quietly
    def set(self, **values: Unpack[conventions.PlanValues]) -> None:
        self._write(values)
        self._made(values.get("steps"))

    @quietly
    def result(self, result: object) -> None:
        """Records the plan's answer: text, or any other value as JSON."""
        self._write({"result": result})

    @quietly
    def message(self, role: str, content: object) -> None:
        """Records a message between the user and the agents."""
        if content_captured():
            self._span.add_event(Events.MESSAGE, {Attr.MESSAGE_ROLE: role, Attr.MESSAGE_CONTENT: str(content)})

    @quietly
    def review(self, action: str, feedback: str | None = None, actor: str | None = None) -> None:
        """Records a decision on the plan: ACCEPT_PLAN, REQUEST_CHANGES or ABORT, which cancels it."""
        values = {
            "review_attempt": self._reviews + 1,
            "review_action": action,
            "review_feedback": feedback,
            "actor": actor,
        }
        event = Wait({})._encode(values)
        if Attr.REVIEW_ACTION in event:
            self._reviews += 1
            self._state = "cancelled" if action == "ABORT" else self._state
            self._span.add_event(Events.REVIEW, event)

    def revise(self, steps: object) -> int:
        """Records that the plan was made or revised."""
        self._revision += 1
        self._write({"steps": steps, "revision": self._revision})
        event = Events.PLAN_CREATED if self._revision == 1 else Events.PLAN_UPDATED
        self._span.add_event(event, {Attr.PLAN_REVISION: self._revision})
        return self._revision

    def agents_of(self, step: int) -> int:
        """Counts an agent of a step, and returns the number of those before it."""
        with self._lock:
            self._agents[step] = self._agents.get(step, -1) + 1
            return self._agents[step]

    def _made(self, steps: object) -> None:
        if steps is not None:
            self.revise(steps)

    def _record_returned(self, result: object) -> None:
        if is_data(result) and not self._written & {"summary", "result"}:
            self._write({"summary" if isinstance(result, str) else "result": result})

    def _find_plan(self) -> Plan:
        return self

    def _starting(self) -> None:
        above = self._above.plan if self._above else None
        given = self.given.get("plan_id")
        plan_id = given if isinstance(given, str) and given else f"plan-{uuid4()}"
        self.given["plan_id"] = plan_id
        self._agents: dict[int, int] = {}
        self.identity = {Attr.PLAN_ID: plan_id, Attr.PLAN_ROOT_ID: plan_id}
        conversation = self.given.get("conversation_id")
        if isinstance(conversation, str):
            self.identity[Attr.CONVERSATION_ID] = conversation
        if above is not None:
            self.identity = {**above.identity, **self.identity, Attr.PLAN_ROOT_ID: above.identity[Attr.PLAN_ROOT_ID]}
            self.given["parent_plan_id"] = above.plan_id
            if isinstance(self._above, Tool):
                self.given["parent_tool_call_id"] = self._above.given.get("call_id")

    def _began(self) -> None:
        self._made(self.given.get("steps"))

    def _ending(self) -> None:
        self._put(Attr.PLAN_COMPLETED, self._state != "interrupted")


class Planning(Span):
    """Making or revising the plan (`plan`). A decorated function returns the steps."""

    role, _title, subject, _returned = "planning", "a planning", "planner", "steps"

    @quietly
    def set(self, **values: Unpack[conventions.PlanningValues]) -> None:
        self._write(values)

    def _write(self, values: Mapping[str, object]) -> dict[str, Attribute]:
        steps = values.get("steps")
        revision = self.plan.revise(steps) if self.plan and isinstance(steps, (list, tuple)) else None
        return super()._write({"revision": revision, **values})


class Agent(Span):
    """One agent's work on one step of the plan (`invoke_agent`)."""

    role, _title, _stateful = "agent", "an agent", True
    _returned, _asked = "result", "request"

    @quietly
    def set(self, **values: Unpack[conventions.AgentValues]) -> None:
        self._write(values)

    @quietly
    def result(self, result: object) -> None:
        """Records the agent's answer: text, or any other value as JSON."""
        self._write({"result": result})

    def _record_returned(self, result: object) -> None:
        if is_data(result):
            super()._record_returned(result)

    def _starting(self) -> None:
        step = self.given.get("step", self.given.get("step_index"))
        if self.plan is not None and isinstance(step, int):
            agents = self.plan.agents_of(step)
            self.given.setdefault("step_id", f"{self.plan.plan_id}-step-{step}{f'-{agents + 1}' if agents else ''}")
        self.given.setdefault("step_id", f"step-{uuid4()}")

    def _began(self) -> None:
        step = self.given.get("step", self.given.get("step_index"))
        if self.plan is not None and isinstance(step, int):
            self.plan._write({"current_step_index": step})

    def _ending(self) -> None:
        self._write({"completed": self._state == "completed", "current_step": self._children.get("think_act")})


class Cycle(Span):
    """One think-act cycle of an agent (`agent_step`)."""

    role, _title, subject, _is_named, _stateful = "think_act", "a cycle", "index", False, True

    @quietly
    def set(self, **values: Unpack[conventions.ThinkActValues]) -> None:
        self._write(values)

    def _starting(self) -> None:
        self.given.setdefault("index", self._seq)


class Model(Span):
    """One model call (`chat`), the only span with tokens."""

    role, _title, subject = "llm", "a model call", "model"
    _returned, _asked = "output", "input"

    @quietly
    def set(self, **values: Unpack[conventions.LlmValues]) -> None:
        self._write(values)

    @quietly
    def output(self, output: object) -> None:
        """Records the answer: text, messages, or a provider's whole response."""
        self._write({"output": output})

    @quietly
    def usage(self, usage: object) -> None:
        """Records the tokens: the usage of OpenAI, Anthropic or Gemini, or the tokens by planspan's names."""
        self._write(usage_of(usage) or dict(usage if isinstance(usage, Mapping) else {}))

    def _record_returned(self, result: object) -> None:
        super()._record_returned(result)
        usage = getattr(result, "usage", None) or getattr(result, "usage_metadata", None)
        if usage is not None and "input_tokens" not in self._written:
            self.usage(usage)

    def _ending(self) -> None:
        if "provider" not in self._written:
            self._put(Attr.PROVIDER_NAME, conventions.UNKNOWN_PROVIDER)


class Guardrail(Span):
    """One risk assessment (`run_guardrail`)."""

    role, _title = "guardrail", "a guardrail"

    @quietly
    def set(self, **values: Unpack[conventions.GuardrailValues]) -> None:
        self._write(values)

    @quietly
    def risk(self, **values: Unpack[conventions.GuardrailValues]) -> None:
        """Records the finding, also as an evaluation on the span above."""
        encoded = self._write(values)
        event: dict[str, Attribute] = {Attr.EVALUATION_NAME: "risk"}
        if isinstance(score := encoded.get(Attr.RISK_SCORE), float):
            event[Attr.EVALUATION_SCORE_VALUE] = score
        if isinstance(is_safe := encoded.get(Attr.RISK_IS_SAFE), bool):
            event[Attr.EVALUATION_SCORE_LABEL] = "safe" if is_safe else "unsafe"
        if Attr.RISK_EXPLANATION in encoded:
            event[Attr.EVALUATION_EXPLANATION] = encoded[Attr.RISK_EXPLANATION]
        (self._above or self)._span.add_event(Events.EVALUATION, event)

    def link(self) -> Link:
        return Link(self._span.get_span_context(), {Attr.LINK_TYPE: LinkTypes.GUARDS})


class Tool(Span):
    """One tool call (`execute_tool`). A decorated function records its arguments and its result."""

    role, _title, _returned = "tool", "a tool call", "result"

    @quietly
    def set(self, **values: Unpack[conventions.ToolValues]) -> None:
        self._write(values)

    @quietly
    def result(self, result: object) -> None:
        """Records the result: text, or any other value as JSON."""
        self._write({"result": result})

    def called(self, function_name: str, arguments: Mapping[str, object]) -> None:
        super().called(function_name, arguments)
        self.given.setdefault("arguments", arguments)

    def _starting(self) -> None:
        self.given.setdefault("call_id", f"call-{uuid4()}")

    def _links(self) -> Sequence[Link]:
        given = self.given.get("guarded_by")
        guardrails = given if isinstance(given, (list, tuple)) else [given]
        return [guardrail.link() for guardrail in guardrails if isinstance(guardrail, Guardrail)]


class Wait(Span):
    """A wait for a person (`wait_for_user`). A refused, expired or cancelled wait is not an error."""

    role, _title, subject, _is_named, _stateful = "wait", "a wait", "reason", False, True
    _resolution: object = None

    @quietly
    def set(self, **values: Unpack[conventions.WaitValues]) -> None:
        self._write(values)

    @quietly
    def answer(self, answered: str | None = None, /, **values: Unpack[conventions.WaitValues]) -> None:
        """Records the answer: `w.answer("approved")`, or submitted, refused, expired, cancelled."""
        resolution = answered or values.get("resolution")
        self._resolution = resolution
        self._write({**values, **({} if resolution is None else {"resolution": resolution})})

    @quietly
    def review(self, action: str, feedback: str | None = None, actor: str | None = None) -> None:
        """Records the decision on the plan: ACCEPT_PLAN, REQUEST_CHANGES or ABORT, which cancels the plan."""
        if self.plan is not None:
            self.plan.review(action, feedback, actor)
        resolutions = {"ACCEPT_PLAN": "approved", "REQUEST_CHANGES": "refused", "ABORT": "cancelled"}
        self._resolution = resolutions.get(action)
        self._write(
            {"review_action": action, "review_feedback": feedback, "actor": actor, "resolution": self._resolution}
        )

    def _starting(self) -> None:
        self.given = {"wait_id": f"wait-{uuid4()}", "waiting": True, **self.given}
        if self.plan is not None:
            self.given.setdefault("wait_plan_id", self.plan.identity[Attr.PLAN_ROOT_ID])

    def _ending(self) -> None:
        self._write({"waiting": False})
        if self._state == "completed" and self._resolution in ("refused", "expired", "cancelled"):
            self._state = "cancelled"
