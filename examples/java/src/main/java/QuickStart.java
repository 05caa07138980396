// A plan with an agent, a model call and a tool call, with only the OpenTelemetry SDK for Java.
// planspan serve   # in another terminal
// mvn -q compile exec:java -Dexec.mainClass=QuickStart

import static io.opentelemetry.api.common.AttributeKey.stringArrayKey;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.List;
import java.util.UUID;

public final class QuickStart {
  private static final String PLAN_ID = "plan-" + UUID.randomUUID();

  public static void main(String[] args) {
    var endpoint = System.getenv().getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
    var exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint + "/v1/traces").build();
    var service = Resource.getDefault().toBuilder().put("service.name", "quick-start").build();
    var batch = BatchSpanProcessor.builder(exporter).build();
    try (var provider = SdkTracerProvider.builder().setResource(service).addSpanProcessor(batch).build()) {
      answer(provider.get("weather"));
    }
    System.out.println("planspan show " + PLAN_ID);
  }

  private static void answer(Tracer tracer) {
    var plan = start(tracer, "plan", "invoke_workflow weather")
        .setAttribute("gen_ai.agent.name", "weather")
        .setAttribute("planspan.plan.title", "Weather in Lisbon")
        .setAttribute("gen_ai.input.messages", message("user", "How warm is it?"))
        .setAttribute(stringArrayKey("planspan.plan.steps"), List.of("Look the temperature up"));
    try (var inPlan = plan.makeCurrent()) {
      var agent = start(tracer, "agent", "invoke_agent meteorologist")
          .setAttribute("gen_ai.agent.name", "meteorologist")
          .setAttribute("planspan.step.index", 0);
      try (var inAgent = agent.makeCurrent()) {
        var cycle = start(tracer, "think_act", "agent_step meteorologist").setAttribute("planspan.step.index", 0);
        try (var inCycle = cycle.makeCurrent()) {
          start(tracer, "llm", "chat small-model")
              .setAttribute("gen_ai.provider.name", "example")
              .setAttribute("gen_ai.request.model", "small-model")
              .setAttribute("gen_ai.input.messages", message("user", "Which tool?"))
              .setAttribute("gen_ai.output.messages", message("assistant", "The thermometer."))
              .setAttribute("gen_ai.usage.input_tokens", 120)
              .setAttribute("gen_ai.usage.output_tokens", 8)
              .end();
          start(tracer, "tool", "execute_tool thermometer")
              .setAttribute("gen_ai.tool.name", "thermometer")
              .setAttribute("gen_ai.tool.call.id", "call-1")
              .setAttribute("gen_ai.tool.call.arguments", "{\"city\":\"Lisbon\"}")
              .setAttribute("gen_ai.tool.call.result", "{\"celsius\":24}")
              .end();
        }
        cycle.end();
      }
      agent.setAttribute("gen_ai.output.messages", message("assistant", "It is 24 °C.")).end();
    }
    plan.setAttribute("planspan.plan.summary", "Answered after one look at the thermometer.").end();
  }

  private static Span start(Tracer tracer, String role, String name) {
    return tracer.spanBuilder(name)
        .setSpanKind(role.equals("llm") ? SpanKind.CLIENT : SpanKind.INTERNAL)
        .setAttribute("planspan.span.kind", role)
        .setAttribute("gen_ai.operation.name", name.split(" ")[0])
        .setAttribute("planspan.plan.id", PLAN_ID)
        .setAttribute("planspan.plan.root_id", PLAN_ID)
        .startSpan();
  }

  /** Returns a message in the format of the GenAI conventions. The text must not contain quotes or backslashes. */
  private static String message(String role, String text) {
    return """
        [{"role":"%s","parts":[{"type":"text","content":"%s"}]}]""".formatted(role, text);
  }
}
