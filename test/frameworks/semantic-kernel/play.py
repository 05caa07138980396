"""Semantic Kernel, which instruments itself."""

import os

os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"

from openai import AsyncOpenAI
from semantic_kernel.agents import ChatCompletionAgent, ChatHistoryAgentThread
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import KernelPlugin, kernel_function
from stories import function_of, model_url, play, start_telemetry

start_telemetry("semantic-kernel")


def agent_of(agent, agents):
    functions = [kernel_function(function_of(tool, ask, agents), name=tool.name) for tool in agent.tools]
    return ChatCompletionAgent(
        name=agent.name,
        instructions=agent.instructions,
        service=OpenAIChatCompletion("made-up", async_client=AsyncOpenAI(base_url=model_url, api_key="none")),
        plugins=[KernelPlugin("desk", functions=functions)] if functions else [],
    )


async def ask(agent, agents, request):
    return str((await agent_of(agent, agents).get_response(request)).content)


async def run(story):
    agent = agent_of(story.first, story.agents)
    if story.stream:
        texts = [str(part.content) async for part in agent.invoke_stream(story.request)]
        return "".join(texts)
    thread = ChatHistoryAgentThread(thread_id=story.conversation)
    return str((await agent.get_response(story.request, thread=thread)).content)


play(run)
