"""Records the plans of AI agents as OpenTelemetry spans."""

from ._conventions import Attr, __version__
from ._drops import drop_counts
from ._processors import PendingSpanProcessor, PlanspanProcessor
from ._register import flush, register
from ._roles import agent, cycle, guardrail, model, plan, planning, tool, wait
from ._spans import Agent, Cycle, Guardrail, Model, Plan, Planning, Tool, Wait

__all__ = [
    "Agent",
    "Attr",
    "Cycle",
    "Guardrail",
    "Model",
    "PendingSpanProcessor",
    "Plan",
    "Planning",
    "PlanspanProcessor",
    "Tool",
    "Wait",
    "__version__",
    "agent",
    "cycle",
    "drop_counts",
    "flush",
    "guardrail",
    "model",
    "plan",
    "planning",
    "register",
    "tool",
    "wait",
]
