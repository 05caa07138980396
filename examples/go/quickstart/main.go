// A plan with an agent, a model call and a tool call, with only the OpenTelemetry SDK for Go.
// planspan serve   # in another terminal
// go run ./quickstart
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

var text, number, texts = attribute.String, attribute.Int, attribute.StringSlice

func main() {
	ctx := context.Background()
	endpoint := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), "http://127.0.0.1:4318")
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint+"/v1/traces"))
	if err != nil {
		log.Fatal(err)
	}
	service := resource.NewSchemaless(text("service.name", "quick-start"))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(service))
	tracer := provider.Tracer("weather")

	planID := "plan-" + rand.Text()
	start := func(ctx context.Context, role, name string, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
		kind := trace.SpanKindInternal
		if role == "llm" {
			kind = trace.SpanKindClient
		}
		ids := []attribute.KeyValue{
			text("planspan.span.kind", role), text("planspan.plan.id", planID), text("planspan.plan.root_id", planID),
			text("gen_ai.operation.name", strings.Fields(name)[0]),
		}
		return tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(append(ids, attributes...)...))
	}

	ctx, plan := start(ctx, "plan", "invoke_workflow weather", text("gen_ai.agent.name", "weather"),
		text("planspan.plan.title", "Weather in Lisbon"),
		message("gen_ai.input.messages", "user", "How warm is it?"),
		texts("planspan.plan.steps", []string{"Look the temperature up"}))
	ctx, agent := start(ctx, "agent", "invoke_agent meteorologist",
		text("gen_ai.agent.name", "meteorologist"), number("planspan.step.index", 0))
	ctx, cycle := start(ctx, "think_act", "agent_step meteorologist", number("planspan.step.index", 0))
	_, model := start(ctx, "llm", "chat small-model",
		text("gen_ai.provider.name", "example"), text("gen_ai.request.model", "small-model"),
		message("gen_ai.input.messages", "user", "Which tool?"))
	model.SetAttributes(message("gen_ai.output.messages", "assistant", "The thermometer."),
		number("gen_ai.usage.input_tokens", 120), number("gen_ai.usage.output_tokens", 8))
	model.End()
	_, tool := start(ctx, "tool", "execute_tool thermometer", text("gen_ai.tool.name", "thermometer"),
		text("gen_ai.tool.call.id", "call-1"), text("gen_ai.tool.call.arguments", `{"city":"Lisbon"}`))
	tool.SetAttributes(text("gen_ai.tool.call.result", `{"celsius":24}`))
	tool.End()
	cycle.End()
	agent.SetAttributes(message("gen_ai.output.messages", "assistant", "It is 24 °C."))
	agent.End()
	plan.SetAttributes(text("planspan.plan.summary", "Answered after one look at the thermometer."))
	plan.End()

	if err := provider.Shutdown(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println("planspan show", planID)
}

// message returns an attribute with a message in the format of the GenAI conventions.
func message(key, role, content string) attribute.KeyValue {
	part := map[string]any{"type": "text", "content": content}
	messages, _ := json.Marshal([]any{map[string]any{"role": role, "parts": []any{part}}})
	return text(key, string(messages))
}
