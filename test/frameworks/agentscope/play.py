"""AgentScope with its own tracing."""

import inspect

from agentscope.agent import Agent
from agentscope.credential import OpenAICredential
from agentscope.message import TextBlock, UserMsg
from agentscope.middleware import TracingMiddleware
from agentscope.model import OpenAIChatModel
from agentscope.permission import PermissionBehavior, PermissionDecision
from agentscope.tool import FunctionTool, ToolChunk, Toolkit
from stories import function_of, model_url, play, start_telemetry

start_telemetry("agentscope")
ALLOWED = PermissionDecision(behavior=PermissionBehavior.ALLOW, message="allowed")


def agent_of(agent, agents, story):
    credential = OpenAICredential(api_key="none", base_url=model_url)
    return Agent(
        agent.name,
        agent.instructions,
        OpenAIChatModel(credential, "made-up", stream=bool(story.stream), retry_delay=0),
        toolkit=Toolkit(tools=[tool_of(each, agents, story) for each in agent.tools]),
        middlewares=[TracingMiddleware()],
    )


def tool_of(spec, agents, story):
    async def ask(agent, agents, request):
        return await answer(agent_of(agent, agents, story), request)

    function = function_of(spec, ask, agents)

    async def call(**arguments) -> ToolChunk:
        result = function(**arguments)
        return ToolChunk(content=[TextBlock(text=await result if inspect.isawaitable(result) else result)])

    properties = {name: {"type": "string"} for name in inspect.signature(function).parameters}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return FunctionTool(call, name=spec.name, description=spec.name, input_schema=schema, permission=ALLOWED)


async def answer(agent, request):
    return (await agent.reply(UserMsg("user", request))).get_text_content()


async def run(story):
    return await answer(agent_of(story.first, story.agents, story), story.request)


play(run)
