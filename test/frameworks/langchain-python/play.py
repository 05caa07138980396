"""LangChain, on LangGraph, with OpenInference; VARIANT=langsmith: with LangSmith's own OpenTelemetry spans."""

import os

from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.tools import StructuredTool
from langchain_core.tracers.langchain import wait_for_all_tracers
from langchain_openai import ChatOpenAI
from openinference.instrumentation.langchain import LangChainInstrumentor
from stories import model_url, play, start_telemetry

provider = start_telemetry("langchain-python")
if os.environ.get("VARIANT") == "langsmith":
    # LangSmith wants a key, though it sends nothing to its own server.
    os.environ.update(LANGSMITH_TRACING="true", LANGSMITH_TRACING_MODE="otel", LANGSMITH_API_KEY="none")
else:
    LangChainInstrumentor().instrument(tracer_provider=provider)
model = ChatOpenAI(model="made-up", base_url=model_url, api_key="none")


def agent_of(agent, agents):
    return create_agent(
        model,
        name=agent.name,
        system_prompt=agent.instructions,
        tools=[tool_of(tool, agents) for tool in agent.tools],
        # Without it a tool that raises ends the run.
        middleware=[ToolRetryMiddleware(max_retries=0)],
    )


def tool_of(tool, agents):
    def run(query: str) -> str:
        if tool.error:
            raise RuntimeError(tool.error)
        return tool.result

    def delegate(input: str) -> str:
        return ask(agents[tool.agent], agents, input)

    return StructuredTool.from_function(delegate if tool.agent else run, name=tool.name, description=tool.name)


def ask(agent, agents, request):
    messages = agent_of(agent, agents).invoke({"messages": [{"role": "user", "content": request}]})["messages"]
    return messages[-1].content


def run_story(story):
    answer = ask(story.first, story.agents, story.request)
    wait_for_all_tracers()
    return answer


play(run_story)
