"""Google's Agent Development Kit, which instruments itself."""

import os

from stories import function_of, model_url, play, start_telemetry

os.environ.update(
    GOOGLE_API_KEY="none",
    GOOGLE_GEMINI_BASE_URL=model_url,
    OTEL_SEMCONV_STABILITY_OPT_IN="gen_ai_latest_experimental",
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT="SPAN_ONLY",
)
start_telemetry("google-adk")

from google.adk.agents import LlmAgent  # noqa: E402  (the settings are read now)
from google.adk.agents.run_config import RunConfig, StreamingMode  # noqa: E402
from google.adk.runners import InMemoryRunner  # noqa: E402
from google.genai import types  # noqa: E402


def agent_of(agent, agents):
    return LlmAgent(
        name=agent.name,
        model="gemini-made-up",
        instruction=agent.instructions,
        tools=[function_of(tool, ask, agents) for tool in agent.tools],
        # Without it a tool that raises ends the run.
        on_tool_error_callback=lambda tool, args, tool_context, error: {"error": str(error)},
    )


async def ask(agent, agents, request, story=None):
    runner = InMemoryRunner(agent_of(agent, agents), app_name="shop")
    session = await runner.session_service.create_session(
        app_name="shop", user_id="ann", session_id=story and story.conversation
    )
    mode = StreamingMode.SSE if story and story.stream else StreamingMode.NONE
    message = types.Content(role="user", parts=[types.Part(text=request)])
    config = RunConfig(streaming_mode=mode, max_llm_calls=story and story.limit or 10)
    texts = []
    async for event in runner.run_async(
        user_id="ann", session_id=session.id, new_message=message, run_config=config
    ):
        texts += [part.text for part in (event.content and event.content.parts or []) if part.text]
    return texts[-1] if texts else None


play(lambda story: ask(story.first, story.agents, story.request, story))
