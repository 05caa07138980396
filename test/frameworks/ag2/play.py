"""AG2 with its own telemetry."""

from ag2 import Agent
from ag2.config import OpenAIConfig
from ag2.middleware.builtin.telemetry import TelemetryMiddleware
from ag2.tools import tool
from stories import function_of, model_url, play, start_telemetry

provider = start_telemetry("ag2")


def agent_of(agent, agents, story):
    async def ask(agent, agents, request):
        return (await agent_of(agent, agents, story).ask(request)).body

    return Agent(
        agent.name,
        agent.instructions,
        config=OpenAIConfig("made-up", base_url=model_url, api_key="none", streaming=bool(story.stream)),
        tools=[tool(function_of(each, ask, agents)) for each in agent.tools],
        middleware=[TelemetryMiddleware(tracer_provider=provider, agent_name=agent.name)],
    )


async def run(story):
    return (await agent_of(story.first, story.agents, story).ask(story.request)).body


play(run)
