// A plan that waits for a tool call. Run planspan show plan-porto, then kill the program with the printed command and run
// it again: after some seconds the plan is interrupted. Or press Enter to complete the plan.
// mvn -q compile exec:java -Dexec.mainClass=LongPlan [-Dexec.args=PLAN_ID]

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.io.IOException;
import java.time.Duration;

public final class LongPlan {
  public static void main(String[] args) throws IOException {
    var endpoint = System.getenv().getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
    var exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint + "/v1/traces").build();
    var pending = new PendingSpanProcessor(exporter, Duration.ofMillis(500), Duration.ofSeconds(2));
    var batch = BatchSpanProcessor.builder(exporter).setScheduleDelay(Duration.ofMillis(250)).build();
    var service = Resource.getDefault().toBuilder().put("service.name", "long-plan").build();
    var builder = SdkTracerProvider.builder().setResource(service);
    try (var provider = builder.addSpanProcessor(pending).addSpanProcessor(batch).build()) {
      book(provider.get("trip"), args.length > 0 ? args[0] : "plan-porto");
    }
  }

  private static void book(Tracer tracer, String planId) throws IOException {
    var plan = start(tracer, planId, "plan", "invoke_workflow trip")
        .setAttribute("gen_ai.agent.name", "trip")
        .setAttribute("planspan.plan.title", "A trip to Porto");
    try (var inPlan = plan.makeCurrent()) {
      var agent = start(tracer, planId, "agent", "invoke_agent booker")
          .setAttribute("gen_ai.agent.name", "booker")
          .setAttribute("planspan.step.index", 0);
      try (var inAgent = agent.makeCurrent()) {
        var cycle = start(tracer, planId, "think_act", "agent_step booker").setAttribute("planspan.step.index", 0);
        try (var inCycle = cycle.makeCurrent()) {
          // Spans of other instrumentation may be anywhere in between.
          var attempt = tracer.spanBuilder("attempt 1").startSpan();
          try (var inAttempt = attempt.makeCurrent()) {
            var tool = start(tracer, planId, "tool", "execute_tool book")
                .setAttribute("gen_ai.tool.name", "book")
                .setAttribute("gen_ai.tool.call.arguments", "{\"train\":\"IC 527\"}");
            System.out.println("The railway does not answer. Try: kill -9 " + ProcessHandle.current().pid());
            System.in.read();
            tool.setAttribute("gen_ai.tool.call.result", "booked").end();
          }
          attempt.end();
        }
        cycle.end();
      }
      agent.end();
    }
    plan.end();
  }

  private static Span start(Tracer tracer, String planId, String role, String name) {
    return tracer.spanBuilder(name)
        .setAttribute("planspan.span.kind", role)
        .setAttribute("gen_ai.operation.name", name.split(" ")[0])
        .setAttribute("planspan.plan.id", planId)
        .setAttribute("planspan.plan.root_id", planId)
        .startSpan();
  }
}
