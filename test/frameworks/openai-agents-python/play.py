"""OpenAI Agents SDK with OpenInference; VARIANT=logfire, traceloop: with those; a place of messages: with OpenTelemetry's own."""

import os

import logfire
from agents import Agent, GuardrailFunctionOutput, InputGuardrail, OpenAIProvider, RunConfig, Runner, function_tool
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor as OpenInference
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor as OfficialOpenAI
from opentelemetry.instrumentation.genai.openai_agents import OpenAIAgentsInstrumentor as Official
from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor as Traceloop
from stories import CAPTURES, function_of, model_url, play, span_processors, start_official_telemetry, start_telemetry

variant = os.environ.get("VARIANT")
if variant == "logfire":
    logfire.configure(send_to_logfire=False, console=False, additional_span_processors=span_processors())
    logfire.instrument_openai_agents()
elif variant in CAPTURES:
    start_official_telemetry("openai-agents-python", Official, OfficialOpenAI)
elif variant == "traceloop":
    Traceloop().instrument(tracer_provider=start_telemetry("openai-agents-python"))
else:
    OpenInference().instrument(tracer_provider=start_telemetry("openai-agents-python"))
provider = OpenAIProvider(base_url=model_url, api_key="none")
config = RunConfig(model_provider=provider)


def agent_of(agent, agents):
    guardrails = [InputGuardrail(trip, name=agent.guardrail, run_in_parallel=False)] if agent.guardrail else []
    return Agent(
        name=agent.name,
        instructions=agent.instructions,
        model="made-up",
        tools=[tool_of(tool, agents) for tool in agent.tools if not tool.handoff],
        handoffs=[agent_of(agents[tool.handoff], agents) for tool in agent.tools if tool.handoff],
        input_guardrails=guardrails,
    )


def trip(context, agent, request):
    return GuardrailFunctionOutput(output_info="robbery", tripwire_triggered=True)


def tool_of(tool, agents):
    if tool.agent:
        return agent_of(agents[tool.agent], agents).as_tool(tool.name, tool.name, run_config=config)
    return function_tool(
        function_of(tool),
        needs_approval=bool(tool.approval),
        # The SDK's own error function keeps from traces what a tool said.
        failure_error_function=lambda context, error: str(error),
    )


async def run(story):
    agent = agent_of(story.first, story.agents)
    options = {
        "run_config": RunConfig(model_provider=provider, group_id=story.conversation),
        "max_turns": story.limit or 10,
    }
    if story.stream:
        result = Runner.run_streamed(agent, story.request, **options)
        async for _ in result.stream_events():
            pass
    else:
        result = await Runner.run(agent, story.request, **options)
    if result.interruptions and story.answers:
        state = result.to_state()
        for each in result.interruptions:
            state.approve(each)
        result = await Runner.run(agent, state, **options)
    return result.final_output


play(run)
