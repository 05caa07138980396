import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;

/**
 * Shows plans while they run: exports snapshots of changed open spans, and heartbeats of each plan. Copy it into your
 * program. It recognizes a span by the attributes that the span has at its start.
 */
final class PendingSpanProcessor implements SpanProcessor {
  private static final Set<String> SHOWN_ROLES = Set.of("plan", "planning", "wait", "agent", "think_act", "tool");

  private final Map<String, OpenSpan> open = new ConcurrentHashMap<>();
  private final ScheduledExecutorService ticks =
      Executors.newSingleThreadScheduledExecutor(PendingSpanProcessor::daemon);
  private final SpanExporter exporter;
  private final Duration heartbeat;

  PendingSpanProcessor(SpanExporter exporter, Duration interval, Duration heartbeat) {
    this.exporter = exporter;
    this.heartbeat = heartbeat;
    ticks.scheduleWithFixedDelay(this::show, interval.toMillis(), interval.toMillis(), MILLISECONDS);
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {
    var role = span.getAttribute(stringKey("planspan.span.kind"));
    // Includes other instrumentation below shown spans, so that the tree stays connected.
    var isShown = role == null ? open.containsKey(span.getParentSpanContext().getSpanId()) : SHOWN_ROLES.contains(role);
    if (!isShown || !span.getSpanContext().isSampled()) return;
    var isPlan = "plan".equals(role);
    if (isPlan) span.setAttribute("planspan.heartbeat.interval_ms", 3 * heartbeat.toMillis());
    open.put(span.getSpanContext().getSpanId(), new OpenSpan(span, isPlan ? heartbeat.toNanos() : Long.MAX_VALUE));
  }

  @Override
  public void onEnd(ReadableSpan span) {
    open.remove(span.getSpanContext().getSpanId());
  }

  @Override
  public CompletableResultCode shutdown() {
    ticks.shutdown();
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public boolean isStartRequired() {
    return true;
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  private void show() {
    var snapshots = open.values().stream().flatMap(OpenSpan::snapshot).toList();
    if (!snapshots.isEmpty()) exporter.export(snapshots).join(10, SECONDS);
  }

  private static Thread daemon(Runnable task) {
    var thread = new Thread(task, "pending-spans");
    thread.setDaemon(true);
    return thread;
  }

  private static final class OpenSpan {
    private final ReadWriteSpan span;
    private final long heartbeatNanos;
    private SpanData shown;
    private long shownAt;
    private long snapshots;

    OpenSpan(ReadWriteSpan span, long heartbeatNanos) {
      this.span = span;
      this.heartbeatNanos = heartbeatNanos;
    }

    /** Returns the next snapshot if the span has changed or a heartbeat is due. */
    Stream<SpanData> snapshot() {
      var now = span.toSpanData();
      if (now.equals(shown) && System.nanoTime() - shownAt < heartbeatNanos) return Stream.empty();
      shown = now;
      shownAt = System.nanoTime();
      return Stream.of(new Snapshot(now, now.getStartEpochNanos() + span.getLatencyNanos(), snapshots++));
    }
  }

  private static final class Snapshot extends DelegatingSpanData {
    private final SpanContext real;
    private final SpanContext own;
    private final long endNanos;
    private final Attributes attributes;

    Snapshot(SpanData span, long endNanos, long seq) {
      super(span);
      this.endNanos = endNanos;
      real = span.getSpanContext();
      own = SpanContext.create(
          real.getTraceId(), IdGenerator.random().generateSpanId(), real.getTraceFlags(), real.getTraceState());
      attributes = span.getAttributes().toBuilder()
          .put("planspan.span.state", "pending")
          .put("planspan.pending.span_id", real.getSpanId())
          .put("planspan.pending.parent_span_id", span.getParentSpanContext().isValid() ? span.getParentSpanId() : "")
          .put("planspan.snapshot.seq", seq)
          .build();
    }

    @Override
    public SpanContext getSpanContext() {
      return own;
    }

    @Override
    public SpanContext getParentSpanContext() {
      return real;
    }

    @Override
    public long getEndEpochNanos() {
      return endNanos;
    }

    @Override
    public Attributes getAttributes() {
      return attributes;
    }

    @Override
    public int getTotalAttributeCount() {
      return attributes.size();
    }

    @Override
    public boolean hasEnded() {
      return true;
    }
  }
}
