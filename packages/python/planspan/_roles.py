"""The functions that describe what an agent does. Each opens a span for a `with` block, or decorates a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import _spans as spans
from ._drops import drop

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Unpack

    from . import _conventions as conventions

Function = TypeVar("Function", bound="Callable[..., object]")
S = TypeVar("S", bound=spans.Span)


def _open(kind: type[S], given: tuple[object, ...], values: dict[str, Any]) -> Any:
    """Returns a span that begins when it is entered, or the decorated function."""
    first = given[0] if given else None
    if len(given) > 1:
        drop("option", f"all arguments without a name but the first of {kind.__name__.lower()}()", "give them names")
    if callable(first):
        return kind(values)(first)
    return kind({kind.subject: first, **values} if first is not None else values)


@overload
def plan(function: Function, /) -> Function: ...
@overload
def plan(workflow: str | None = None, /, **values: Unpack[conventions.PlanValues]) -> spans.Plan: ...
def plan(*given: Any, **values: Any) -> Any:
    """Records a plan: `with plan("trip", request=…) as p`. Inside a tool call it is a sub-plan of that call."""
    return _open(spans.Plan, given, values)


@overload
def planning(function: Function, /) -> Function: ...
@overload
def planning(planner: str | None = None, /, **values: Unpack[conventions.PlanningValues]) -> spans.Planning: ...
def planning(*given: Any, **values: Any) -> Any:
    """Records making or revising the plan: `with planning() as s: s.set(steps=…)`."""
    return _open(spans.Planning, given, values)


@overload
def agent(function: Function, /) -> Function: ...
@overload
def agent(name: str | None = None, /, **values: Unpack[conventions.AgentValues]) -> spans.Agent: ...
def agent(*given: Any, **values: Any) -> Any:
    """Records an agent at work on a step: `with agent("researcher", step=0) as a`."""
    return _open(spans.Agent, given, values)


@overload
def cycle(function: Function, /) -> Function: ...
@overload
def cycle(index: int | None = None, /, **values: Unpack[conventions.ThinkActValues]) -> spans.Cycle: ...
def cycle(*given: Any, **values: Any) -> Any:
    """Records a think-act cycle of an agent: `with cycle()`."""
    return _open(spans.Cycle, given, values)


@overload
def model(function: Function, /) -> Function: ...
@overload
def model(model: str | None = None, /, **values: Unpack[conventions.LlmValues]) -> spans.Model: ...
def model(*given: Any, **values: Any) -> Any:
    """Records a model call: `with model("gpt-5.4-mini", input=messages) as m`."""
    return _open(spans.Model, given, values)


@overload
def guardrail(function: Function, /) -> Function: ...
@overload
def guardrail(name: str | None = None, /, **values: Unpack[conventions.GuardrailValues]) -> spans.Guardrail: ...
def guardrail(*given: Any, **values: Any) -> Any:
    """Records a risk assessment: `with guardrail("policy") as g: g.risk(score=…)`."""
    return _open(spans.Guardrail, given, values)


@overload
def tool(function: Function, /) -> Function: ...
@overload
def tool(name: str | None = None, /, **values: Unpack[conventions.ToolValues]) -> spans.Tool: ...
def tool(*given: Any, **values: Any) -> Any:
    """Records a tool call: `@tool` above a function, or `with tool("search", arguments=…) as t`."""
    return _open(spans.Tool, given, values)


@overload
def wait(function: Function, /) -> Function: ...
@overload
def wait(reason: str | None = None, /, **values: Unpack[conventions.WaitValues]) -> spans.Wait: ...
def wait(*given: Any, **values: Any) -> Any:
    """Records a wait for a person: `with wait("tool_approval") as w: w.answer("approved")`."""
    return _open(spans.Wait, given, values)
