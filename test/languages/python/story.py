# An agent of decorated functions. Arguments: PLAN_ID, and `fail` for an agent whose tool raises an error.
import asyncio
import sys
from types import SimpleNamespace

import planspan
from planspan import agent, cycle, model, plan, tool

planspan.register(service_name="story")
_, plan_id, *words = sys.argv


@tool
async def weigh(animal):
    if "fail" in words:
        raise LookupError(f"There is no {animal}.")
    return {"tonnes": 6}


@model("small-model", provider="acme")
def ask(input):
    usage = SimpleNamespace(prompt_tokens=120, completion_tokens=8)
    message = SimpleNamespace(role="assistant", content="It depends.")
    return SimpleNamespace(choices=[SimpleNamespace(message=message, finish_reason="stop")], usage=usage)


@agent("keeper", step=0)
async def keeper(request):
    with cycle():
        ask([{"role": "user", "content": request}])
        return f"{(await weigh('elephant'))['tonnes']} tonnes"


@plan("zoo", plan_id=plan_id)
async def zoo(request):
    return await keeper(request)


asyncio.run(zoo("How heavy is an elephant?"))
