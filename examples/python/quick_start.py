# A plan with an agent, a model call and a tool call, with only the OpenTelemetry SDK for Python.
# planspan serve   # in another terminal
# pip install -r requirements.txt && python quick_start.py
import json
from uuid import uuid4

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind

provider = TracerProvider(resource=Resource.create({"service.name": "quick-start"}))
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("weather")
plan_id = f"plan-{uuid4()}"


def span(role, name, attributes):
    ids = {"planspan.span.kind": role, "planspan.plan.id": plan_id, "planspan.plan.root_id": plan_id}
    operation = {"gen_ai.operation.name": name.split()[0]}
    kind = SpanKind.CLIENT if role == "llm" else SpanKind.INTERNAL
    return tracer.start_as_current_span(name, kind=kind, attributes={**ids, **operation, **attributes})


def message(role, text):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


asked = {
    "gen_ai.agent.name": "weather",
    "planspan.plan.title": "Weather in Lisbon",
    "gen_ai.input.messages": message("user", "How warm is it?"),
    "planspan.plan.steps": ["Look the temperature up"],
}
with span("plan", "invoke_workflow weather", asked) as plan:
    step = {"gen_ai.agent.name": "meteorologist", "planspan.step.index": 0}
    with span("agent", "invoke_agent meteorologist", step) as agent:
        with span("think_act", "agent_step meteorologist", {"planspan.step.index": 0}):
            asked = {"gen_ai.provider.name": "example", "gen_ai.request.model": "small-model"}
            with span("llm", "chat small-model", asked) as model:
                model.set_attribute("gen_ai.input.messages", message("user", "Which tool?"))
                model.set_attribute("gen_ai.output.messages", message("assistant", "The thermometer."))
                model.set_attributes({"gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 8})
            call = {"gen_ai.tool.call.id": "call-1", "gen_ai.tool.call.arguments": '{"city":"Lisbon"}'}
            with span("tool", "execute_tool thermometer", {"gen_ai.tool.name": "thermometer", **call}) as tool:
                tool.set_attribute("gen_ai.tool.call.result", '{"celsius":24}')
        agent.set_attribute("gen_ai.output.messages", message("assistant", "It is 24 °C."))
    plan.set_attribute("planspan.plan.summary", "Answered after one look at the thermometer.")

provider.shutdown()
print(f"planspan show {plan_id}")
