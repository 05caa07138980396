"""The client of OpenAI's Chat Completions with OpenTelemetry's own instrumentation."""

import json

from clients import PARAMETERS, play_client, start_client_telemetry
from openai import AsyncOpenAI
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
from stories import model_url

start_client_telemetry("openai", OpenAIInstrumentor)
client = AsyncOpenAI(base_url=model_url, api_key="none")


class Chat:
    def __init__(self, agent, request, stream):
        self.messages = [{"role": "system", "content": agent.instructions}, {"role": "user", "content": request}]
        self.options = {"model": "made-up"}
        if agent.tools:
            functions = [{"name": each.name, "parameters": PARAMETERS} for each in agent.tools]
            self.options["tools"] = [{"type": "function", "function": function} for function in functions]
        self.stream = stream

    async def ask(self):
        text, calls = await (self.streamed() if self.stream else self.whole())
        told = [
            {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for id, name, arguments in calls
        ]
        self.messages.append({"role": "assistant", "content": text, **({"tool_calls": told} if told else {})})
        return text, calls

    async def whole(self):
        response = await client.chat.completions.create(messages=self.messages, **self.options)
        message = response.choices[0].message
        calls = [(each.id, each.function.name, json.loads(each.function.arguments)) for each in message.tool_calls or []]
        return message.content, calls

    async def streamed(self):
        usage = {"include_usage": True}
        chunks = await client.chat.completions.create(
            messages=self.messages, stream=True, stream_options=usage, **self.options
        )
        text, calls = "", []
        async for chunk in chunks:
            for choice in chunk.choices:
                text += choice.delta.content or ""
                for each in choice.delta.tool_calls or []:
                    calls.append((each.id, each.function.name, json.loads(each.function.arguments)))
        return text, calls

    def tell(self, call_id, name, result):
        self.messages.append({"role": "tool", "tool_call_id": call_id, "content": result})


play_client(Chat)
