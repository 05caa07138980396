"""What spans contain. The spans are kept in memory; test/languages runs programs with a server."""

import asyncio
import json
import os
import unittest
from types import SimpleNamespace
from unittest.mock import patch

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import planspan
from planspan import Attr, agent, cycle, guardrail, model, plan, planning, tool, wait

memory = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(planspan.PlanspanProcessor())
provider.add_span_processor(planspan.PendingSpanProcessor(SimpleSpanProcessor(memory)))
trace.set_tracer_provider(provider)


def text(role, content):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": content}]}], separators=(",", ":"))


class Spans(unittest.TestCase):
    def setUp(self):
        memory.clear()

    def spans(self):
        return {span.name: span for span in memory.get_finished_spans()}

    def attributes(self, name):
        return self.spans()[name].attributes

    def test_decorated_functions_record_what_they_receive_and_return(self):
        @tool
        def double(number, *, by=2):
            return {"is": number * by}

        @model("small-model", provider="acme")
        def ask(input):
            return SimpleNamespace(choices=None, usage=SimpleNamespace(input_tokens=3, output_tokens=4))

        @agent("clerk", step=0)
        def clerk(request):
            ask("Which?")
            return double(4, by=3)

        @plan
        def sums(request):
            return f"The sum is {clerk('Add.')['is']}"

        self.assertEqual(sums("What is it?"), "The sum is 12")
        root = self.attributes("invoke_workflow sums")
        self.assertEqual(root[Attr.INPUT_MESSAGES], text("user", "What is it?"))
        self.assertEqual(root[Attr.PLAN_SUMMARY], "The sum is 12")
        self.assertEqual(self.attributes("invoke_agent clerk")[Attr.OUTPUT_MESSAGES], text("assistant", '{"is":12}'))
        self.assertEqual(self.attributes("execute_tool double")[Attr.TOOL_CALL_ARGUMENTS], '{"number":4,"by":3}')
        self.assertEqual(self.attributes("execute_tool double")[Attr.TOOL_CALL_RESULT], '{"is":12}')
        call = self.attributes("chat small-model")
        self.assertEqual((call[Attr.USAGE_INPUT_TOKENS], call[Attr.USAGE_OUTPUT_TOKENS]), (3, 4))

    def test_a_return_value_is_not_recorded_if_it_was_said_otherwise_or_is_no_data(self):
        for given, said, returned in (({"capture_return": False}, None, 1), ({}, "said", 1), ({}, None, object())):

            @plan("quiet", **given)
            def quiet():
                planspan.Plan.current().set(summary=said)
                return returned

            self.assertIs(quiet(), returned)
            self.assertNotIn(Attr.OUTPUT_MESSAGES, self.attributes("invoke_workflow quiet"))
            self.assertEqual(self.attributes("invoke_workflow quiet").get(Attr.PLAN_SUMMARY), said)

    def test_async_functions_and_generators(self):
        @tool
        async def fetch(url):
            await asyncio.sleep(0)
            return url

        @tool
        def words():
            yield from ("a", "b", "c")

        @tool
        async def numbers():
            for number in range(2):
                with trace.get_tracer("test").start_as_current_span(f"step {number}"):
                    await asyncio.sleep(0)
                yield number

        @plan("async")
        async def run():
            for word in words():
                self.assertIsInstance(trace.get_current_span(), trace.Span)
                break
            return await fetch("x"), [number async for number in numbers()]

        self.assertEqual(asyncio.run(run()), ("x", [0, 1]))
        self.assertEqual(self.attributes("execute_tool fetch")[Attr.TOOL_CALL_RESULT], "x")
        self.assertEqual(self.attributes("execute_tool words")[Attr.TOOL_CALL_RESULT], "a")
        self.assertEqual(self.attributes("execute_tool numbers")[Attr.TOOL_CALL_RESULT], "[0,1]")
        self.assertEqual(self.spans()["step 0"].parent.span_id, self.spans()["execute_tool numbers"].context.span_id)
        self.assertEqual(self.spans()["execute_tool fetch"].parent, self.spans()["execute_tool words"].parent)

    def test_an_error_fails_the_span_with_its_type_and_text_and_is_raised(self):
        with self.assertRaisesRegex(ValueError, "no seat"), plan("trip"):
            raise ValueError("no seat")
        span = self.spans()["invoke_workflow trip"]
        self.assertEqual(span.status.status_code.name, "ERROR")
        values = (Attr.ERROR_TYPE, "ValueError"), (Attr.ERROR_MESSAGE, "no seat"), (Attr.STATE, "failed")
        self.assertLessEqual(dict(values).items(), dict(span.attributes).items())
        self.assertEqual(span.events[0].attributes[Attr.EXCEPTION_MESSAGE], "no seat")
        for error, state in ((KeyboardInterrupt(), "interrupted"), (asyncio.CancelledError(), "cancelled")):
            with self.assertRaises(BaseException), plan("trip"):
                raise error
            self.assertEqual(self.attributes("invoke_workflow trip")[Attr.STATE], state)

    def test_a_wrong_argument_is_dropped_and_logged_once_with_the_allowed_names(self):
        def ask():
            with plan("trip", titel="A") as p, wait("lunch") as w, guardrail("g") as g:
                p.set(5)
                w.answer(resolution="yes")
                g.risk(score=90)

        with self.assertLogs("planspan") as logs:
            ask()
            ask()
        self.assertEqual(len(logs.output), 5, logs.output)
        for part in ("use 'title'; the allowed names are ", "form_input, plan_review, tool_approval", "from 0 to 1"):
            self.assertIn(part, "\n".join(logs.output))
        self.assertEqual(self.attributes("invoke_workflow trip")[Attr.DROPPED], 1)
        self.assertNotIn(Attr.RISK_SCORE, self.attributes("run_guardrail g"))

    def test_a_wait_is_answered_by_a_word_or_by_values(self):
        with wait("tool_approval") as w:
            w.answer("refused", actor="ops")
        values = (Attr.WAIT_RESOLUTION, "refused"), (Attr.WAIT_ACTOR, "ops"), (Attr.STATE, "cancelled")
        self.assertLessEqual(dict(values).items(), self.attributes("wait_for_user").items())
        with wait("form_input") as w:
            w.answer(resolution="submitted")
        self.assertEqual(self.attributes("wait_for_user")[Attr.WAIT_RESOLUTION], "submitted")

    def test_values_that_cannot_be_read_do_not_disturb_the_agent(self):
        class Hostile:
            def __getattribute__(self, name):
                raise RuntimeError(name)

        loop = []
        loop.append(loop)
        with self.assertLogs("planspan"), plan("trip", title=Hostile()) as p, tool("t", arguments=loop) as t:
            t.result(Hostile())
            p.error("no error")
        with plan("trip") as ended:
            pass
        with self.assertLogs("planspan"):
            ended.set(title="late")

    def test_content_is_left_out(self):
        with patch.dict(os.environ, {"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "false"}):
            with self.assertRaises(ValueError), plan("trip", request="secret") as p:
                p.result("secret")
                raise ValueError("secret")
        span = self.spans()["invoke_workflow trip"]
        self.assertNotIn("secret", span.to_json())
        self.assertIn(Attr.INPUT_MESSAGES, span.attributes[Attr.REDACTED_FIELDS])

    def test_usage_and_messages_of_providers(self):
        openai = {"prompt_tokens": 10, "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 2}}
        anthropic = SimpleNamespace(input_tokens=10, output_tokens=5, cache_read_input_tokens=4)
        gemini = {"prompt_token_count": 10, "candidates_token_count": 5, "thoughts_token_count": 2}
        for usage, read, written in ((openai, 10, 5), (anthropic, 14, 5), (gemini, 10, 7), ({"input": 1}, 1, None)):
            with plan("trip"), model("m") as m:
                m.usage(usage)
            call = self.attributes("chat m")
            self.assertEqual((call.get(Attr.USAGE_INPUT_TOKENS), call.get(Attr.USAGE_OUTPUT_TOKENS)), (read, written))
        parts = [
            {"type": "text", "content": "Hi"},
            {"type": "tool_call", "id": "1", "name": "f", "arguments": {"a": 1}},
        ]
        answers = (
            {
                "choices": [
                    {
                        "message": {
                            "content": "Hi",
                            "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"a": 1}}}],
                        }
                    }
                ]
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Hi"},
                    {"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}},
                ],
            },
            {
                "candidates": [
                    {
                        "content": {
                            "role": "model",
                            "parts": [{"text": "Hi"}, {"function_call": {"id": "1", "name": "f", "args": {"a": 1}}}],
                        }
                    }
                ]
            },
            {
                "output": [
                    {"type": "message", "content": [{"type": "output_text", "text": "Hi"}]},
                    {"type": "function_call", "call_id": "1", "name": "f", "arguments": {"a": 1}},
                ]
            },
        )
        for answer in answers:
            with plan("trip"), model("m") as m:
                m.output(answer)
            messages = json.loads(self.attributes("chat m")[Attr.OUTPUT_MESSAGES])
            self.assertEqual(messages, [{"role": "assistant", "parts": parts}])

    def test_the_tree(self):
        with plan("trip", plan_id="outer", steps=[{"title": "Book", "id": 1}]) as p:
            with planning("planner") as s:
                s.set(steps=["Book"])
            with agent("clerk", step=0), cycle():
                with guardrail("policy") as g:
                    g.risk(score=0.25, is_safe=True)
                with tool("book", guarded_by=g), plan("seat", plan_id="inner"):
                    planspan.Plan.current().set(summary="Booked")
            with wait("plan_review") as w:
                w.review("ABORT", "too late", actor="an editor")
        inner = self.attributes("invoke_workflow seat")
        call = self.spans()["execute_tool book"]
        self.assertEqual(inner[Attr.PLAN_SUMMARY], "Booked")
        self.assertEqual(inner[Attr.PLAN_ROOT_ID], "outer")
        self.assertEqual(inner[Attr.PLAN_PARENT_TOOL_CALL_ID], call.attributes[Attr.TOOL_CALL_ID])
        self.assertEqual(call.links[0].context.span_id, self.spans()["run_guardrail policy"].context.span_id)
        self.assertEqual(self.attributes("agent_step clerk")[Attr.STEP_INDEX], 0)
        root = self.attributes("invoke_workflow trip")
        self.assertEqual((root[Attr.STATE], root[Attr.PLAN_REVISION]), ("cancelled", 2))
        self.assertEqual(self.spans()["agent_step clerk"].events[0].attributes["gen_ai.evaluation.score.value"], 0.25)

    def test_outside_of_a_plan_a_span_follows_the_released_conventions_only(self):
        with self.assertLogs("planspan"), tool("lonely") as t:
            t.result("x")
        self.assertNotIn(Attr.SPAN_KIND, self.attributes("execute_tool lonely"))


if __name__ == "__main__":
    unittest.main()
