"""LangChain, on LangGraph, with OpenInference; VARIANT=langsmith, traceloop: with those; a place of messages: with OpenTelemetry's own."""

import os

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware
from langchain_core.tools import StructuredTool
from langchain_core.tracers.langchain import wait_for_all_tracers
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor as Official
from opentelemetry.instrumentation.langchain import LangchainInstrumentor as Traceloop
from stories import CAPTURES, function_of, model_url, play, start_official_telemetry, start_telemetry

variant = os.environ.get("VARIANT")
if variant in CAPTURES:
    start_official_telemetry("langchain-python", Official)
else:
    provider = start_telemetry("langchain-python")
if variant == "langsmith":
    # LangSmith wants a key, though it sends nothing to its own server.
    os.environ.update(LANGSMITH_TRACING="true", LANGSMITH_TRACING_MODE="otel", LANGSMITH_API_KEY="none")
elif variant == "traceloop":
    Traceloop().instrument(tracer_provider=provider)
elif variant not in CAPTURES:
    LangChainInstrumentor().instrument(tracer_provider=provider)


def agent_of(agent, agents, story):
    guarded = {tool.name: True for tool in agent.tools if tool.approval}
    # Without the retries a tool that raises ends the run.
    middleware = [ToolRetryMiddleware(max_retries=0)]
    return create_agent(
        ChatOpenAI(model="made-up", base_url=model_url, api_key="none", streaming=bool(story.stream), stream_usage=True),
        name=agent.name,
        system_prompt=agent.instructions,
        tools=[tool_of(tool, agents, story) for tool in agent.tools],
        middleware=[*middleware, HumanInTheLoopMiddleware(guarded)] if guarded else middleware,
        checkpointer=InMemorySaver() if guarded else None,
    )


def tool_of(tool, agents, story):
    async def ask(agent, agents, request):
        messages = {"messages": [{"role": "user", "content": request}]}
        return (await agent_of(agent, agents, story).ainvoke(messages))["messages"][-1].content

    function = function_of(tool, ask, agents)
    made = {"coroutine": function} if tool.agent else {"func": function}
    return StructuredTool.from_function(**made, name=tool.name, description=tool.name)


def workflow_of(workflow, story):
    graph = StateGraph(MessagesState)
    before = START
    for step in workflow["steps"]:
        name = step if isinstance(step, str) else step["name"]
        graph.add_node(name, node_of(step, story))
        graph.add_edge(before, name)
        before = name
    return graph.compile(name=workflow["name"], checkpointer=InMemorySaver())


def node_of(step, story):
    if not isinstance(step, str):
        return workflow_of(step, story)
    return agent_of(story.agents[step], story.agents, story) if step in story.agents else wait


def wait(state):
    interrupt({"reason": "Is this the draft?"})


async def run(story):
    workflow = story.workflow
    agent = workflow_of(workflow, story) if workflow else agent_of(story.first, story.agents, story)
    # Each cycle has two nodes: the model and its tools. Traceloop adds nodes before the agent and around each model call.
    nodes = (story.limit or 20) * 4 + 1 if variant == "traceloop" else (story.limit or 20) * 2
    config = {"configurable": {"thread_id": story.conversation or "1"}, "recursion_limit": nodes}
    try:
        state = await agent.ainvoke({"messages": [{"role": "user", "content": story.request}]}, config)
        if "__interrupt__" in state and (story.answers or workflow):
            state = await agent.ainvoke(Command(resume={"decisions": [{"type": "approve"}]}), config)
    finally:
        wait_for_all_tracers()
    return None if "__interrupt__" in state else state["messages"][-1].content


play(run)
