"""Pydantic AI, which instruments itself."""

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ModelRetry, Tool
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import UsageLimits
from stories import function_of, model_url, play, start_telemetry

start_telemetry("pydantic-ai")
model = OpenAIChatModel("made-up", provider=OpenAIProvider(base_url=model_url, api_key="none"))


def agent_of(agent, agents):
    return Agent(
        model,
        name=agent.name,
        instructions=agent.instructions,
        output_type=[str, DeferredToolRequests],
        tools=[tool_of(tool, agents) for tool in agent.tools],
        capabilities=[Instrumentation()],
        retries=3,
    )


def tool_of(tool, agents):
    def fail(query: str) -> str:
        # Any other exception ends the run.
        raise ModelRetry(tool.error)

    function = fail if tool.error else function_of(tool, ask, agents)
    return Tool(function, name=tool.name, requires_approval=bool(tool.approval))


async def ask(agent, agents, request):
    return (await agent_of(agent, agents).run(request)).output


async def read_all(context, events):
    async for _ in events:
        pass


async def run(story):
    agent = agent_of(story.first, story.agents)
    options = {"conversation_id": story.conversation, "usage_limits": UsageLimits(request_limit=story.limit or 50)}
    if story.stream:
        options["event_stream_handler"] = read_all
    result = await agent.run(story.request, **options)
    if isinstance(result.output, DeferredToolRequests):
        if not story.answers:
            return None
        approved = DeferredToolResults(approvals={call.tool_call_id: True for call in result.output.approvals})
        result = await agent.run(message_history=result.all_messages(), deferred_tool_results=approved, **options)
    return result.output


play(run)
