"""Anthropic's client with OpenTelemetry's own instrumentation."""

from anthropic import AsyncAnthropic
from clients import PARAMETERS, play_client, start_client_telemetry
from opentelemetry.instrumentation.genai.anthropic import AnthropicInstrumentor
from stories import model_url

start_client_telemetry("anthropic", AnthropicInstrumentor)
client = AsyncAnthropic(base_url=model_url.removesuffix("/v1"), api_key="none")


class Chat:
    def __init__(self, agent, request, stream):
        self.messages = [{"role": "user", "content": request}]
        tools = [{"name": each.name, "input_schema": PARAMETERS} for each in agent.tools]
        self.options = {"model": "made-up", "max_tokens": 1_000, "system": agent.instructions, "tools": tools}
        self.stream = stream

    async def ask(self):
        if self.stream:
            async with client.messages.stream(messages=self.messages, **self.options) as events:
                message = await events.get_final_message()
        else:
            message = await client.messages.create(messages=self.messages, **self.options)
        self.messages.append({"role": "assistant", "content": [part.model_dump() for part in message.content]})
        text = "".join(part.text for part in message.content if part.type == "text")
        calls = [(part.id, part.name, part.input) for part in message.content if part.type == "tool_use"]
        return text, calls

    def tell(self, call_id, name, result):
        part = {"type": "tool_result", "tool_use_id": call_id, "content": result}
        if self.messages[-1]["role"] == "assistant":
            self.messages.append({"role": "user", "content": []})
        self.messages[-1]["content"].append(part)


play_client(Chat)
