// Genkit for Go, which instruments itself. Arguments: ENDPOINT MODEL STORY.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai"
	"github.com/openai/openai-go/option"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
)

type tool struct {
	Result string `json:"result"`
	Agent  string `json:"agent"`
}

type agent struct {
	Instructions string          `json:"instructions"`
	Tools        map[string]tool `json:"tools"`
}

type story struct {
	Request string   `json:"request"`
	Then    []string `json:"then"`
	Limit   int      `json:"limit"`
	// The first agent of the file asks the others.
	Agents json.RawMessage `json:"agents"`
}

type played struct {
	TraceIds []string  `json:"traceIds"`
	Answers  []*string `json:"answers"`
	Error    *string   `json:"error"`
}

type flow = core.Flow[string, string, struct{}]

// query is the input of tools that return a result, question that of tools that ask an agent.
type query struct {
	Query string `json:"query"`
}
type question struct {
	Input string `json:"input"`
}

// traces is a span processor that records all trace ids.
type traces struct{ ids []string }

func (t *traces) OnStart(_ context.Context, span trace.ReadWriteSpan) {
	id := span.SpanContext().TraceID().String()
	for _, known := range t.ids {
		if known == id {
			return
		}
	}
	t.ids = append(t.ids, id)
}
func (t *traces) OnEnd(trace.ReadOnlySpan)         {}
func (t *traces) Shutdown(context.Context) error   { return nil }
func (t *traces) ForceFlush(context.Context) error { return nil }

func main() {
	endpoint, model, name := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint+"/v1/traces"))
	check(err)
	seen := &traces{}
	service := resource.NewSchemaless(semconv.ServiceName("genkit-go"))
	provider := trace.NewTracerProvider(trace.WithResource(service), trace.WithSpanProcessor(seen), trace.WithBatcher(exporter))
	otel.SetTracerProvider(provider)

	text, err := os.ReadFile("../stories.json")
	check(err)
	var stories map[string]story
	check(json.Unmarshal(text, &stories))

	made := &compat_oai.OpenAICompatible{
		Provider: "made-up",
		Opts:     []option.RequestOption{option.WithAPIKey("none"), option.WithBaseURL(model), option.WithMaxRetries(0)},
	}
	g := genkit.Init(ctx, genkit.WithPlugins(made))
	supports := ai.ModelOptions{Label: "made-up", Supports: &compat_oai.Multimodal}
	out := play(ctx, g, made.DefineModel("made-up", "made-up", supports), stories[name])
	check(provider.Shutdown(ctx))
	out.TraceIds = seen.ids
	line, err := json.Marshal(out)
	check(err)
	fmt.Println(string(line))
}

func play(ctx context.Context, g *genkit.Genkit, model ai.Model, it story) played {
	agents, first := agentsOf(it.Agents)
	run := flowOf(g, model, first, agents, it.Limit)
	out := played{Answers: []*string{}}
	for _, request := range append([]string{it.Request}, it.Then...) {
		answer, err := run.Run(ctx, request)
		if err != nil {
			message := err.Error()
			out.Error = &message
			break
		}
		out.Answers = append(out.Answers, &answer)
	}
	return out
}

// agentsOf returns the agents by name, and the name of the first one.
func agentsOf(text json.RawMessage) (map[string]agent, string) {
	var agents map[string]agent
	check(json.Unmarshal(text, &agents))
	asked := map[string]bool{}
	for _, each := range agents {
		for _, one := range each.Tools {
			asked[one.Agent] = true
		}
	}
	for name := range agents {
		if !asked[name] {
			return agents, name
		}
	}
	panic("Every agent is asked by another one.")
}

// flowOf makes an agent a flow, so that its telemetry has the agent's name.
func flowOf(g *genkit.Genkit, model ai.Model, name string, agents map[string]agent, limit int) *flow {
	self := agents[name]
	options := []ai.GenerateOption{ai.WithModel(model), ai.WithSystem(self.Instructions)}
	if limit > 0 {
		options = append(options, ai.WithMaxTurns(limit-1))
	}
	for toolName, each := range self.Tools {
		options = append(options, ai.WithTools(toolOf(g, model, toolName, each, agents)))
	}
	return genkit.DefineFlow(g, name, func(ctx context.Context, request string) (string, error) {
		answer, err := genkit.Generate(ctx, g, append([]ai.GenerateOption{ai.WithPrompt(request)}, options...)...)
		if err != nil {
			return "", err
		}
		return answer.Text(), nil
	})
}

func toolOf(g *genkit.Genkit, model ai.Model, name string, it tool, agents map[string]agent) ai.Tool {
	if it.Agent == "" {
		return genkit.DefineTool(g, name, name, func(*ai.ToolContext, query) (string, error) { return it.Result, nil })
	}
	asked := flowOf(g, model, it.Agent, agents, 0)
	return genkit.DefineTool(g, name, name, func(ctx *ai.ToolContext, input question) (string, error) {
		return asked.Run(ctx, input.Input)
	})
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
