"""AutoGen's AgentChat, which instruments itself; VARIANT=openinference: with OpenInference beside it."""

import os

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import TextMentionTermination
from autogen_agentchat.teams import RoundRobinGroupChat, Swarm
from autogen_core.tools import FunctionTool
from autogen_ext.models.openai import OpenAIChatCompletionClient
from openinference.instrumentation.autogen_agentchat import AutogenAgentChatInstrumentor
from stories import function_of, model_url, play, start_telemetry

provider = start_telemetry("autogen")
if os.environ.get("VARIANT") == "openinference":
    AutogenAgentChatInstrumentor().instrument(tracer_provider=provider)
ABILITIES = {"vision": False, "function_calling": True, "json_output": False, "family": "unknown", "structured_output": False}


def agent_of(agent, agents, story):
    async def ask(agent, agents, request):
        return (await agent_of(agent, agents, story).run(task=request)).messages[-1].content

    client = OpenAIChatCompletionClient(
        model="made-up", base_url=model_url, api_key="none", model_info={**ABILITIES}, include_name_in_message=False
    )
    return AssistantAgent(
        agent.name,
        client,
        system_message=agent.instructions,
        tools=[FunctionTool(function_of(tool, ask, agents), tool.name) for tool in agent.tools if not tool.handoff],
        handoffs=[tool.handoff for tool in agent.tools if tool.handoff],
        model_client_stream=bool(story.stream),
        max_tool_iterations=story.limit or 10,
    )


async def run(story):
    made = [agent_of(agent, story.agents, story) for agent in story.agents.values()]
    handsOver = any(tool.handoff for tool in story.first.tools)
    runner = Swarm(made, max_turns=2) if handsOver else made[0]
    return (await runner.run(task=story.request)).messages[-1].content


play(run)
