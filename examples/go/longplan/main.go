// A plan that waits for a tool call. Run planspan show plan-porto, then kill the program with the printed command and run
// it again: after some seconds the plan is interrupted. Or press Enter to complete the plan.
// go run ./longplan [PLAN_ID]
package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"example.com/planspan-examples/pending"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

var text, number = attribute.String, attribute.Int

func main() {
	ctx := context.Background()
	endpoint := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), "http://127.0.0.1:4318")
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint+"/v1/traces"))
	if err != nil {
		log.Fatal(err)
	}
	exporting := sdktrace.NewBatchSpanProcessor(exporter, sdktrace.WithBatchTimeout(250*time.Millisecond))
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithSpanProcessor(pending.NewProcessor(exporting, 500*time.Millisecond, 2*time.Second)),
		sdktrace.WithSpanProcessor(exporting),
		sdktrace.WithResource(resource.NewSchemaless(text("service.name", "long-plan"))))
	tracer := provider.Tracer("trip")

	planID := "plan-porto"
	if len(os.Args) > 1 {
		planID = os.Args[1]
	}
	start := func(ctx context.Context, role, name string, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
		ids := []attribute.KeyValue{
			text("planspan.span.kind", role), text("planspan.plan.id", planID), text("planspan.plan.root_id", planID),
			text("gen_ai.operation.name", strings.Fields(name)[0]),
		}
		return tracer.Start(ctx, name, trace.WithAttributes(append(ids, attributes...)...))
	}

	ctx, plan := start(ctx, "plan", "invoke_workflow trip",
		text("gen_ai.agent.name", "trip"), text("planspan.plan.title", "A trip to Porto"))
	ctx, agent := start(ctx, "agent", "invoke_agent booker",
		text("gen_ai.agent.name", "booker"), number("planspan.step.index", 0))
	ctx, cycle := start(ctx, "think_act", "agent_step booker", number("planspan.step.index", 0))
	// Spans of other instrumentation may be anywhere in between.
	ctx, attempt := tracer.Start(ctx, "attempt 1")
	_, tool := start(ctx, "tool", "execute_tool book",
		text("gen_ai.tool.name", "book"), text("gen_ai.tool.call.arguments", `{"train":"IC 527"}`))
	fmt.Println("The railway does not answer. Try: kill -9", os.Getpid())
	bufio.NewScanner(os.Stdin).Scan()
	tool.SetAttributes(text("gen_ai.tool.call.result", "booked"))
	for _, span := range []trace.Span{tool, attempt, cycle, agent, plan} {
		span.End()
	}
	if err := provider.Shutdown(ctx); err != nil {
		log.Fatal(err)
	}
}
