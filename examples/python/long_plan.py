# A plan that waits for a tool call. Run planspan show plan-porto, then kill the program with the printed command and run
# it again: after some seconds the plan is interrupted. Or press Enter to complete the plan.
# python long_plan.py [PLAN_ID]
import os
import sys

import planspan
from opentelemetry import trace
from planspan import agent, cycle, plan, tool

planspan.register(service_name="long-plan", heartbeat=2)
tracer = trace.get_tracer("railway")


@tool
def book(train):
    print(f"The railway does not answer. Try: kill -9 {os.getpid()}", flush=True)
    sys.stdin.readline()
    return "booked"


@plan("trip", plan_id=sys.argv[1] if len(sys.argv) > 1 else "plan-porto", title="A trip to Porto")
def travel():
    with agent("booker", step=0), cycle():
        # Spans of other instrumentation may be anywhere in between.
        with tracer.start_as_current_span("attempt 1"):
            book(train="IC 527")


travel()
