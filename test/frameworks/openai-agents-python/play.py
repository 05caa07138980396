"""OpenAI Agents SDK with OpenInference."""

from agents import Agent, OpenAIProvider, RunConfig, Runner, function_tool
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from stories import model_url, play, start_telemetry

OpenAIAgentsInstrumentor().instrument(tracer_provider=start_telemetry("openai-agents-python"))
config = RunConfig(model_provider=OpenAIProvider(base_url=model_url, api_key="none"))


def agent_of(agent, agents):
    return Agent(
        name=agent.name,
        instructions=agent.instructions,
        model="made-up",
        tools=[tool_of(tool, agents) for tool in agent.tools if not tool.handoff],
        handoffs=[agent_of(agents[tool.handoff], agents) for tool in agent.tools if tool.handoff],
    )


def tool_of(tool, agents):
    if tool.agent:
        return agent_of(agents[tool.agent], agents).as_tool(tool.name, tool.name, run_config=config)

    def run(query: str) -> str:
        if tool.error:
            raise RuntimeError(tool.error)
        return tool.result

    # The SDK's own error function keeps from traces what a tool said.
    return function_tool(run, name_override=tool.name, failure_error_function=lambda context, error: str(error))


async def run(story):
    result = await Runner.run(agent_of(story.first, story.agents), story.request, run_config=config)
    return result.final_output


play(run)
