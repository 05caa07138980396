"""Strands, which instruments itself; VARIANT=latest: in today's conventions."""

import os

if os.environ.get("VARIANT") == "latest":
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"

from stories import model_url, play, start_telemetry
from strands import Agent, tool
from strands.models.openai import OpenAIModel

start_telemetry("strands")


def agent_of(agent, agents):
    return Agent(
        OpenAIModel(client_args={"base_url": model_url, "api_key": "none"}, model_id="made-up"),
        name=agent.name,
        system_prompt=agent.instructions,
        tools=[tool_of(each, agents) for each in agent.tools],
        callback_handler=None,
    )


def tool_of(spec, agents):
    def run(query: str) -> str:
        if spec.error:
            raise RuntimeError(spec.error)
        return spec.result

    def delegate(input: str) -> str:
        return ask(agents[spec.agent], agents, input)

    return tool(name=spec.name, description=spec.name)(delegate if spec.agent else run)


def ask(agent, agents, request):
    return str(agent_of(agent, agents)(request)).strip()


play(lambda story: ask(story.first, story.agents, story.request))
