"""Haystack, which instruments itself."""

import os

os.environ["HAYSTACK_CONTENT_TRACING_ENABLED"] = "true"

from haystack import tracing
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import create_tool_from_function
from haystack.utils import Secret
from haystack_integrations.tracing.opentelemetry import OpenTelemetryTracer
from opentelemetry import trace
from stories import function_of, model_url, play, start_telemetry

start_telemetry("haystack")
tracing.enable_tracing(OpenTelemetryTracer(trace.get_tracer("haystack")))


def agent_of(agent, agents, story):
    async def ask(agent, agents, request):
        return await answer(agent_of(agent, agents, story), request)

    generator = OpenAIChatGenerator(api_base_url=model_url, api_key=Secret.from_token("none"), model="made-up")
    return Agent(
        chat_generator=generator,
        system_prompt=agent.instructions,
        tools=[
            create_tool_from_function(function_of(tool, ask, agents), description=tool.name) for tool in agent.tools
        ],
        streaming_callback=ignore if story.stream else None,
        max_agent_steps=story.limit or 10,
    )


async def ignore(chunk):
    pass


async def answer(agent, request):
    return (await agent.run_async(messages=[ChatMessage.from_user(request)]))["last_message"].text


async def run(story):
    return await answer(agent_of(story.first, story.agents, story), story.request)


play(run)
