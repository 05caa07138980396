"""smolagents with OpenInference."""

import asyncio

from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from stories import model_url, play, start_telemetry

SmolagentsInstrumentor().instrument(tracer_provider=start_telemetry("smolagents"))

from smolagents import OpenAIModel, Tool, ToolCallingAgent  # noqa: E402  (only models imported now are instrumented)


def agent_of(agent, agents, story):
    return ToolCallingAgent(
        tools=[tool_of(tool, agents, story) for tool in agent.tools],
        model=OpenAIModel("made-up", api_base=model_url, api_key="none"),
        name=agent.name,
        description=agent.name,
        instructions=agent.instructions,
        stream_outputs=bool(story.stream),
        max_steps=story.limit or 10,
        verbosity_level=0,
    )


def tool_of(spec, agents, story):
    class Made(Tool):
        name = description = spec.name
        output_type = "string"
        inputs = {"input" if spec.agent else "query": {"type": "string", "description": "The input."}}
        skip_forward_signature_validation = True

        def forward(self, query=None, input=None):
            if spec.error:
                raise RuntimeError(spec.error)
            return agent_of(agents[spec.agent], agents, story).run(input) if spec.agent else spec.result

    return Made()


async def run(story):
    return str(await asyncio.to_thread(agent_of(story.first, story.agents, story).run, story.request))


play(run)
