// Package pending shows plans while they run. Copy it into your program.
package pending

import (
	"context"
	"crypto/rand"
	"reflect"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// Processor passes snapshots of changed open spans, and heartbeats of each plan, to the exporting processor. Register it
// before that processor. It recognizes a span by the attributes that the span has at its start.
type Processor struct {
	exporting sdktrace.SpanProcessor
	heartbeat time.Duration
	open      sync.Map
	stop      context.CancelFunc
}

type openSpan struct {
	sdktrace.ReadWriteSpan
	isPlan    bool
	shown     tracetest.SpanStub
	sentAt    time.Time
	snapshots int
}

func NewProcessor(exporting sdktrace.SpanProcessor, interval, heartbeat time.Duration) *Processor {
	running, stop := context.WithCancel(context.Background())
	p := &Processor{exporting: exporting, heartbeat: heartbeat, stop: stop}
	go p.run(running, interval)
	return p
}

func (p *Processor) OnStart(_ context.Context, span sdktrace.ReadWriteSpan) {
	attributes := attribute.NewSet(span.Attributes()...)
	role, _ := attributes.Value("planspan.span.kind")
	switch role.AsString() {
	case "plan":
		span.SetAttributes(attribute.Int64("planspan.heartbeat.interval_ms", 3*p.heartbeat.Milliseconds()))
		p.open.Store(span.SpanContext().SpanID(), &openSpan{ReadWriteSpan: span, isPlan: true})
	case "planning", "wait", "agent", "think_act", "tool":
		p.open.Store(span.SpanContext().SpanID(), &openSpan{ReadWriteSpan: span})
	case "": // Includes other instrumentation below shown spans, so that the tree stays connected.
		if _, ok := p.open.Load(span.Parent().SpanID()); ok {
			p.open.Store(span.SpanContext().SpanID(), &openSpan{ReadWriteSpan: span})
		}
	}
}

func (p *Processor) OnEnd(span sdktrace.ReadOnlySpan) { p.open.Delete(span.SpanContext().SpanID()) }

func (p *Processor) ForceFlush(context.Context) error { return nil }

func (p *Processor) Shutdown(context.Context) error {
	p.stop()
	return nil
}

func (p *Processor) run(running context.Context, interval time.Duration) {
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for {
		select {
		case <-running.Done():
			return
		case <-ticks.C:
			p.open.Range(func(_, span any) bool {
				p.show(span.(*openSpan))
				return true
			})
		}
	}
}

func (p *Processor) show(span *openSpan) {
	now := tracetest.SpanStubFromReadOnlySpan(span)
	isSilent := span.isPlan && time.Since(span.sentAt) >= p.heartbeat
	if reflect.DeepEqual(now, span.shown) && !isSilent {
		return
	}
	span.shown, span.sentAt = now, time.Now()
	p.exporting.OnEnd(span.snapshot())
	span.snapshots++
}

func (span *openSpan) snapshot() sdktrace.ReadOnlySpan {
	var id trace.SpanID
	rand.Read(id[:])
	parent := ""
	if span.Parent().HasSpanID() {
		parent = span.Parent().SpanID().String()
	}
	snapshot := span.shown
	snapshot.Parent = span.SpanContext()
	snapshot.SpanContext = span.SpanContext().WithSpanID(id)
	snapshot.EndTime = time.Now()
	snapshot.Attributes = append(snapshot.Attributes,
		attribute.String("planspan.span.state", "pending"),
		attribute.String("planspan.pending.span_id", span.SpanContext().SpanID().String()),
		attribute.String("planspan.pending.parent_span_id", parent),
		attribute.Int("planspan.snapshot.seq", span.snapshots))
	return snapshot.Snapshot()
}
