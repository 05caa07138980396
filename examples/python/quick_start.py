# A plan with an agent, a model call and a tool call.
# planspan serve   # in another terminal
# pip install planspan && python quick_start.py
import planspan
from planspan import agent, cycle, model, plan, tool

planspan.register(service_name="quick-start")


@tool(call_id="call-1")
def thermometer(city):
    return {"celsius": 24}


with plan("weather", title="Weather in Lisbon", request="How warm is it?", steps=["Look the temperature up"]) as p:
    with agent("meteorologist", step=0) as a:
        with cycle():
            with model("small-model", provider="example", input="Which tool?") as m:
                m.output("The thermometer.")
                m.usage({"prompt_tokens": 120, "completion_tokens": 8})
            thermometer("Lisbon")
        a.result("It is 24 °C.")
    p.set(summary="Answered after one look at the thermometer.")

print(f"planspan show {p.plan_id}")
