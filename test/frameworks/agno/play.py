"""Agno with OpenInference; VARIANT, a place of messages: with OpenTelemetry's own."""

import os

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.openai import OpenAIChat
from agno.run import RunStatus
from agno.tools import tool
from openinference.instrumentation.agno import AgnoInstrumentor
from opentelemetry.instrumentation.genai.agno import AgnoInstrumentor as Official
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor as OfficialOpenAI
from stories import CAPTURES, function_of, model_url, play, start_official_telemetry, start_telemetry

if os.environ.get("VARIANT") in CAPTURES:
    start_official_telemetry("agno", Official, OfficialOpenAI)
else:
    AgnoInstrumentor().instrument(tracer_provider=start_telemetry("agno"))


def agent_of(agent, agents, story):
    return Agent(
        name=agent.name,
        model=OpenAIChat("made-up", base_url=model_url, api_key="none"),
        instructions=agent.instructions,
        tools=[tool_of(each, agents, story) for each in agent.tools],
        session_id=story.conversation,
        db=InMemoryDb(),
        telemetry=False,
    )


def tool_of(spec, agents, story):
    async def ask(agent, agents, request):
        return (await agent_of(agent, agents, story).arun(request)).content

    confirm = {"requires_confirmation": True} if spec.approval else {}
    return tool(name=spec.name, description=spec.name, **confirm)(function_of(spec, ask, agents))


async def run(story):
    agent = agent_of(story.first, story.agents, story)
    if story.stream:
        events = [event async for event in agent.arun(story.request, stream=True)]
        return "".join(event.content for event in events if event.event == "RunContent")
    response = await agent.arun(story.request)
    if response.is_paused:
        if not story.answers:
            return None
        for each in response.active_requirements:
            each.confirm()
        response = await agent.acontinue_run(run_id=response.run_id, requirements=response.requirements)
    if response.status == RunStatus.error:
        raise RuntimeError(response.content)
    return response.content


play(run)
