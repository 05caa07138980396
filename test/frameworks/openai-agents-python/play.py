"""OpenAI Agents SDK with OpenInference; VARIANT=logfire, traceloop: with those."""

import os

import logfire
from agents import Agent, OpenAIProvider, RunConfig, Runner, function_tool
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor as OpenInference
from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor as Traceloop
from stories import model_url, play, span_processors, start_telemetry

variant = os.environ.get("VARIANT")
if variant == "logfire":
    logfire.configure(send_to_logfire=False, console=False, additional_span_processors=span_processors())
    logfire.instrument_openai_agents()
elif variant == "traceloop":
    Traceloop().instrument(tracer_provider=start_telemetry("openai-agents-python"))
else:
    OpenInference().instrument(tracer_provider=start_telemetry("openai-agents-python"))
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
