"""Google's client of Gemini with OpenTelemetry's own instrumentation."""

from clients import PARAMETERS, play_client, start_client_telemetry
from google import genai
from google.genai import types
from opentelemetry.instrumentation.google_genai import GoogleGenAiSdkInstrumentor
from stories import model_url

start_client_telemetry("google-genai", GoogleGenAiSdkInstrumentor)
options = types.HttpOptions(base_url=model_url.removesuffix("/v1"), api_version="v1")
models = genai.Client(api_key="none", http_options=options).aio.models


class Chat:
    def __init__(self, agent, request, stream):
        self.contents = [types.Content(role="user", parts=[types.Part(text=request)])]
        functions = [
            types.FunctionDeclaration(name=each.name, parameters_json_schema=PARAMETERS) for each in agent.tools
        ]
        tools = [types.Tool(function_declarations=functions)] if functions else None
        self.config = types.GenerateContentConfig(system_instruction=agent.instructions, tools=tools)
        self.stream = stream

    async def ask(self):
        call = {"model": "made-up", "contents": self.contents, "config": self.config}
        if self.stream:
            parts = [part async for chunk in await models.generate_content_stream(**call) for part in parts_of(chunk)]
        else:
            parts = parts_of(await models.generate_content(**call))
        self.contents.append(types.Content(role="model", parts=parts))
        text = "".join(part.text for part in parts if part.text)
        calls = [part.function_call for part in parts if part.function_call]
        return text, [(call.id, call.name, call.args) for call in calls]

    def tell(self, call_id, name, result):
        response = types.FunctionResponse(id=call_id, name=name, response={"result": result})
        if self.contents[-1].role == "model":
            self.contents.append(types.Content(role="user", parts=[]))
        self.contents[-1].parts.append(types.Part(function_response=response))


def parts_of(response):
    return response.candidates[0].content.parts or []


play_client(Chat)
