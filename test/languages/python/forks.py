# A server that sets up tracing and exports a plan before it forks its worker, as gunicorn does with --preload. The worker
# calls a tool in a further process, and waits for the end of its input. Argument: PLAN_ID.
import multiprocessing
import os
import sys

import planspan
from planspan import agent, plan, tool

planspan.register(service_name="forks")
_, plan_id = sys.argv

with plan("main", plan_id=f"{plan_id}-main"), agent("boss", step=0):
    if os.fork() == 0:
        sys.exit(0)
    os.wait()
planspan.flush()

if os.fork() == 0:
    with plan("worker", plan_id=plan_id), agent("worker", step=0):
        child = multiprocessing.get_context("fork").Process(target=tool("report")(lambda: "done"))
        child.start()
        child.join()
        sys.stdin.read()
    sys.exit(0)
os.wait()
