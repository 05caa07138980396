# A worker in another process that belongs to the plan of its caller (examples/distributed-plan.mjs).
# pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http && python distributed_worker.py 4320
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from opentelemetry import context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.propagate import extract
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

provider = TracerProvider(resource=Resource.create({"service.name": "analyst"}))
provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("analyst")


def message(role, text):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def work(request):
    # The spans are those that an agent framework writes.
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "analyst"}
    with tracer.start_as_current_span("invoke_agent analyst", attributes=agent):
        call = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "acme", "gen_ai.request.model": "small-model"}
        with tracer.start_as_current_span("chat small-model", attributes=call) as model:
            model.set_attributes({"gen_ai.usage.input_tokens": 9000, "gen_ai.usage.output_tokens": 300})
            model.set_attribute("gen_ai.input.messages", message("user", "How is it valued?"))
            model.set_attribute("gen_ai.output.messages", message("assistant", "Cheap."))
    request.send_response(200)
    request.end_headers()
    request.wfile.write(b"Cheap.")


class Worker(BaseHTTPRequestHandler):
    def do_POST(request):
        token = context.attach(extract(request.headers))
        try:
            work(request)
        finally:
            context.detach(token)


server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Worker)
print(server.server_port, flush=True)
server.serve_forever()
