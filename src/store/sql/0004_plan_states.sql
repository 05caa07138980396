-- A row a plan and trace, for lists and for choosing a trace. Every column is min, max, argMax or a set of span ids, so
-- that a span that comes twice changes nothing. Facts stand on the span of the plan itself (or of an agent that is a
-- record of its own): the latest segment, then its final span, then its latest snapshot.
CREATE TABLE IF NOT EXISTS ${database}.plan_states (
  PlanId String CODEC(ZSTD(1)),
  TraceId String CODEC(ZSTD(1)),
  RootPlanId SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  Start SimpleAggregateFunction(min, DateTime64(9)) CODEC(ZSTD(1)),
  End SimpleAggregateFunction(max, DateTime64(9)) CODEC(ZSTD(1)),
  Spans AggregateFunction(uniqExactIf, UInt64, UInt8) CODEC(ZSTD(1)),
  Errors AggregateFunction(uniqExactIf, UInt64, UInt8) CODEC(ZSTD(1)),
  MappingVersion SimpleAggregateFunction(max, UInt16),
  Redacted SimpleAggregateFunction(max, UInt8),
  -- 0 the plan has no span of its own here, 1 it has snapshots alone, 2 its final span is here
  PlanSpan SimpleAggregateFunction(max, UInt8),
  Dialect SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  Source SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  RecordKey SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  Digest SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  HeartbeatMs SimpleAggregateFunction(max, UInt32),
  State AggregateFunction(argMax, String, Tuple(UInt32, UInt8, UInt32, DateTime64(9))) CODEC(ZSTD(1)),
  -- role, name of the workflow or agent, title, request, status in the system's own word, service
  Facts AggregateFunction(argMax, Tuple(String, String, String, String, String, String), Tuple(UInt32, UInt8, UInt32, DateTime64(9))) CODEC(ZSTD(1)),
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfWeek(Start)
ORDER BY (PlanId, TraceId)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

-- A duration wraps when a span ends before it starts: such a span ends where it starts.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_states_mv TO ${database}.plan_states AS
SELECT
  SpanAttributes[${ATTR.planId}] AS PlanId,
  TraceId,
  max(SpanAttributes[${ATTR.planRootId}]) AS RootPlanId,
  min(Timestamp) AS Start,
  max(fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS End,
  uniqExactIfState(cityHash64(SpanId), SpanAttributes[${ATTR.spanState}] != ${PENDING}) AS Spans,
  uniqExactIfState(cityHash64(SpanId), StatusCode = 'Error' AND SpanAttributes[${ATTR.spanState}] != ${PENDING}) AS Errors,
  max(toUInt16OrZero(SpanAttributes[${ATTR.schemaVersion}])) AS MappingVersion,
  max(SpanAttributes[${ATTR.redactedFields}] NOT IN ('', '[]')) AS Redacted
FROM ${spans}
WHERE PlanId != '' AND TraceId != ''
GROUP BY PlanId, TraceId;

-- A view of its own, since few spans have these attributes and looking for one costs a walk over all that a span has.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_facts_mv TO ${database}.plan_states AS
WITH (
  toUInt32OrZero(SpanAttributes[${ATTR.planSegment}]),
  toUInt8(SpanAttributes[${ATTR.spanState}] != ${PENDING}),
  toUInt32OrZero(SpanAttributes[${ATTR.snapshotSeq}]),
  Timestamp
) AS Recency
SELECT
  SpanAttributes[${ATTR.planId}] AS PlanId,
  TraceId,
  min(Timestamp) AS Start,
  max(Timestamp) AS End,
  max(if(SpanAttributes[${ATTR.spanState}] = ${PENDING}, 1, 2)) AS PlanSpan,
  max(SpanAttributes[${ATTR.recordDialect}]) AS Dialect,
  max(SpanAttributes[${ATTR.recordSource}]) AS Source,
  max(SpanAttributes[${ATTR.recordKey}]) AS RecordKey,
  max(SpanAttributes[${ATTR.recordDigest}]) AS Digest,
  max(toUInt32OrZero(SpanAttributes[${ATTR.heartbeatIntervalMs}])) AS HeartbeatMs,
  argMaxState(
    multiIf(
      SpanAttributes[${ATTR.state}] != '', SpanAttributes[${ATTR.state}],
      StatusCode = 'Error', 'failed',
      SpanAttributes[${ATTR.spanState}] = ${PENDING}, 'running',
      'completed'
    ),
    Recency
  ) AS State,
  argMaxState((
    SpanAttributes[${ATTR.spanKind}],
    if(SpanAttributes[${ATTR.spanKind}] = 'plan', SpanAttributes[${ATTR.workflowName}], SpanAttributes[${ATTR.agentName}]),
    substringUTF8(SpanAttributes[${ATTR.planTitle}], 1, 500),
    substringUTF8(JSONExtractString(SpanAttributes[${ATTR.inputMessages}], 1, 'parts', 1, 'content'), 1, 500),
    SpanAttributes[${ATTR.status}],
    toString(ServiceName)
  ), Recency) AS Facts
FROM ${spans}
WHERE PlanId != '' AND TraceId != '' AND (
  SpanAttributes[${ATTR.spanKind}] = 'plan' OR (SpanAttributes[${ATTR.spanKind}] = 'agent' AND SpanAttributes[${ATTR.recordDialect}] != '')
)
GROUP BY PlanId, TraceId;
