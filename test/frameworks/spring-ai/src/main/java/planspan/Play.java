package planspan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Spring AI, which instruments itself. Arguments: ENDPOINT MODEL STORY. */
@SpringBootApplication
public class Play {
  /** The arguments of every tool. */
  record Query(String query) {}

  /** Records all trace ids. */
  static class Traces implements SpanProcessor {
    final Set<String> ids = new LinkedHashSet<>();

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
      ids.add(span.getSpanContext().getTraceId());
    }

    @Override
    public boolean isStartRequired() {
      return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
      return false;
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  @Bean
  Traces traces() {
    return new Traces();
  }

  public static void main(String[] args) throws Exception {
    var application = new SpringApplication(Play.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setDefaultProperties(
        Map.of(
            "spring.application.name", "spring-ai",
            "spring.main.banner-mode", "off",
            "logging.level.root", "ERROR",
            "spring.ai.openai.api-key", "none",
            "spring.ai.openai.base-url", args[1].replaceFirst("/v1$", ""),
            "spring.ai.openai.chat.options.model", "made-up",
            "spring.ai.retry.max-attempts", "1",
            "spring.ai.tools.observations.include-content", "true",
            "management.tracing.sampling.probability", "1.0",
            "management.otlp.tracing.endpoint", args[0] + "/v1/traces"));
    var mapper = new ObjectMapper();
    var story = mapper.readTree(new File("../stories.json")).get(args[2]);
    var result = new HashMap<String, Object>();
    try (var context = application.run()) {
      var answers = new ArrayList<String>();
      result.put("answers", answers);
      result.put("error", null);
      try {
        for (var request : requestsOf(story)) {
          answers.add(ask(context.getBean(ChatClient.Builder.class), story, request));
        }
      } catch (RuntimeException error) {
        result.put("error", error.toString());
      }
      result.put("traceIds", context.getBean(Traces.class).ids);
    }
    System.out.println(mapper.writeValueAsString(new Played(result)));
  }

  /** The line that a runner prints: the ids of the traces first. */
  record Played(Set<?> traceIds, List<?> answers, Object error) {
    Played(Map<String, Object> result) {
      this((Set<?>) result.get("traceIds"), (List<?>) result.get("answers"), result.get("error"));
    }
  }

  static List<String> requestsOf(JsonNode story) {
    var requests = new ArrayList<String>();
    requests.add(story.get("request").asText());
    story.path("then").forEach(request -> requests.add(request.asText()));
    return requests;
  }

  static String ask(ChatClient.Builder builder, JsonNode story, String request) {
    var agent = story.get("agents").elements().next();
    var tools = new ArrayList<ToolCallback>();
    agent.get("tools").fields().forEachRemaining(tool -> tools.add(toolOf(tool.getKey(), tool.getValue())));
    var prompt =
        builder.clone().build().prompt().system(agent.get("instructions").asText()).user(request).toolCallbacks(tools);
    if (!story.path("stream").asBoolean()) {
      return prompt.call().content();
    }
    return String.join("", prompt.stream().content().collectList().block());
  }

  static ToolCallback toolOf(String name, JsonNode tool) {
    return FunctionToolCallback.builder(
            name,
            (Query query) -> {
              if (tool.has("error")) {
                throw new IllegalStateException(tool.get("error").asText());
              }
              return tool.get("result").asText();
            })
        .description(name)
        .inputType(Query.class)
        .build();
  }
}
