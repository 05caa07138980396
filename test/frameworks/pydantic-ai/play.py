"""Pydantic AI, which instruments itself."""

from pydantic_ai import Agent, ModelRetry, Tool
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from stories import model_url, play, start_telemetry

start_telemetry("pydantic-ai")
model = OpenAIChatModel("made-up", provider=OpenAIProvider(base_url=model_url, api_key="none"))


def agent_of(agent, agents):
    return Agent(
        model,
        name=agent.name,
        instructions=agent.instructions,
        tools=[tool_of(tool, agents) for tool in agent.tools],
        capabilities=[Instrumentation()],
        retries=3,
    )


def tool_of(tool, agents):
    def run(query: str) -> str:
        if tool.error:
            # Any other exception ends the run.
            raise ModelRetry(tool.error)
        return tool.result

    async def delegate(input: str) -> str:
        return await ask(agents[tool.agent], agents, input)

    return Tool(delegate if tool.agent else run, name=tool.name)


async def ask(agent, agents, request):
    return (await agent_of(agent, agents).run(request)).output


play(lambda story: ask(story.first, story.agents, story.request))
