"""Strands, which instruments itself; VARIANT=latest: in today's conventions."""

import os

if os.environ.get("VARIANT") == "latest":
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"

from stories import function_of, model_url, play, start_telemetry
from strands import Agent, tool
from strands.hooks import BeforeToolCallEvent
from strands.models.openai import OpenAIModel

# Runs of one service that ask with the same call id cannot be distinguished.
start_telemetry(f"strands-{os.environ.get('VARIANT')}")


def agent_of(agent, agents, conversation=None):
    made = Agent(
        OpenAIModel(client_args={"base_url": model_url, "api_key": "none"}, model_id="made-up"),
        name=agent.name,
        system_prompt=agent.instructions,
        tools=[tool(name=each.name, description=each.name)(function_of(each, ask, agents)) for each in agent.tools],
        callback_handler=None,
        trace_attributes={"session.id": conversation} if conversation else None,
    )
    guarded = {each.name for each in agent.tools if each.approval}

    def approve(event: BeforeToolCallEvent):
        if event.tool_use["name"] in guarded and event.interrupt("approval", reason="May I?") != "yes":
            event.cancel_tool = "No."

    made.add_hook(approve, BeforeToolCallEvent)
    return made


async def ask(agent, agents, request):
    return str(await agent_of(agent, agents).invoke_async(request)).strip()


async def run(story):
    agent = agent_of(story.first, story.agents, story.conversation)
    if story.stream:
        async for event in agent.stream_async(story.request):
            result = event.get("result")
    else:
        result = await agent.invoke_async(story.request)
    if result.stop_reason == "interrupt":
        if not story.answers:
            return None
        answers = [{"interruptResponse": {"interruptId": each.id, "response": "yes"}} for each in result.interrupts]
        result = await agent.invoke_async(answers)
    return str(result).strip()


play(run)
