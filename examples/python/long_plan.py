# A plan that waits for a tool call. Run planspan show plan-porto, then kill the program with the printed command and run
# it again: after some seconds the plan is interrupted. Or press Enter to complete the plan.
# python long_plan.py [PLAN_ID]
import os
import sys

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from pending_span_processor import PendingSpanProcessor

exporting = BatchSpanProcessor(OTLPSpanExporter(), schedule_delay_millis=250)
provider = TracerProvider(resource=Resource.create({"service.name": "long-plan"}))
provider.add_span_processor(PendingSpanProcessor(exporting, heartbeat=2))
provider.add_span_processor(exporting)
tracer = provider.get_tracer("trip")
plan_id = sys.argv[1] if len(sys.argv) > 1 else "plan-porto"


def span(role, name, attributes):
    ids = {"planspan.span.kind": role, "planspan.plan.id": plan_id, "planspan.plan.root_id": plan_id}
    operation = {"gen_ai.operation.name": name.split()[0]}
    return tracer.start_as_current_span(name, attributes={**ids, **operation, **attributes})


with span("plan", "invoke_workflow trip", {"gen_ai.agent.name": "trip", "planspan.plan.title": "A trip to Porto"}):
    with span("agent", "invoke_agent booker", {"gen_ai.agent.name": "booker", "planspan.step.index": 0}):
        with span("think_act", "agent_step booker", {"planspan.step.index": 0}):
            call = {"gen_ai.tool.name": "book", "gen_ai.tool.call.arguments": '{"train":"IC 527"}'}
            # Spans of other instrumentation may be anywhere in between.
            with tracer.start_as_current_span("attempt 1"), span("tool", "execute_tool book", call) as tool:
                print(f"The railway does not answer. Try: kill -9 {os.getpid()}", flush=True)
                sys.stdin.readline()
                tool.set_attribute("gen_ai.tool.call.result", "booked")

provider.shutdown()
