"""LlamaIndex's agent workflows with OpenInference."""

from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from stories import function_of, model_url, play, start_telemetry

LlamaIndexInstrumentor().instrument(tracer_provider=start_telemetry("llama-index"))


def agent_of(agent, agents, story):
    return FunctionAgent(
        name=agent.name,
        description=agent.name,
        system_prompt=agent.instructions,
        tools=[tool_of(tool, agents, story) for tool in agent.tools if not tool.handoff],
        can_handoff_to=[tool.handoff for tool in agent.tools if tool.handoff],
        llm=OpenAILike("made-up", api_base=model_url, api_key="none", is_chat_model=True, is_function_calling_model=True),
        streaming=bool(story.stream),
    )


def tool_of(tool, agents, story):
    async def ask(agent, agents, request):
        return str(await agent_of(agent, agents, story).run(request))

    function = function_of(tool, ask, agents)
    made = {"async_fn": function} if tool.agent else {"fn": function}
    return FunctionTool.from_defaults(**made, name=tool.name, description=tool.name)


async def run(story):
    made = agent_of(story.first, story.agents, story)
    return str(await made.run(story.request, max_iterations=story.limit or 20))


play(run)
