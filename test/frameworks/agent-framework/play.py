"""Microsoft's Agent Framework, which instruments itself."""

from agent_framework import Agent, Message, tool
from agent_framework.observability import enable_instrumentation
from agent_framework.openai import OpenAIChatCompletionClient
from stories import function_of, model_url, play, start_telemetry

start_telemetry("agent-framework")
enable_instrumentation(enable_sensitive_data=True)


def agent_of(agent, agents, story):
    return Agent(
        OpenAIChatCompletionClient("made-up", base_url=model_url, api_key="none"),
        agent.instructions,
        name=agent.name,
        tools=[tool_of(each, agents, story) for each in agent.tools],
    )


def tool_of(spec, agents, story):
    async def ask(agent, agents, request):
        return last_text(await agent_of(agent, agents, story).run(request))

    mode = "always_require" if spec.approval else "never_require"
    return tool(function_of(spec, ask, agents), name=spec.name, description=spec.name, approval_mode=mode)


def last_text(response):
    # The text of the response is that of all its messages.
    return response.messages[-1].text


async def run(story):
    agent = agent_of(story.first, story.agents, story)
    if story.stream:
        stream = agent.run(story.request, stream=True)
        async for _ in stream:
            pass
        return last_text(await stream.get_final_response())
    session = agent.create_session()
    response = await agent.run(story.request, session=session)
    if response.user_input_requests:
        if not story.answers:
            return None
        approvals = [each.to_function_approval_response(approved=True) for each in response.user_input_requests]
        response = await agent.run([Message("user", approvals)], session=session)
    return last_text(response)


play(run)
