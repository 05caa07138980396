-- A row a plan and trace, for lists, for choosing a trace, and for where a plan stands. Every column is min, max, argMax or a
-- set, so that a span that comes twice changes nothing; Rows alone counts what comes, to tell that something has come.
CREATE TABLE IF NOT EXISTS ${database}.plan_states (
  PlanId String CODEC(ZSTD(1)),
  TraceId String CODEC(ZSTD(1)),
  -- '' for a plan that is its own root
  RootPlanId SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  -- the plan of which it is a sub-plan, as its own span says
  ParentPlanId SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  Start SimpleAggregateFunction(min, DateTime64(9)) CODEC(ZSTD(1)),
  End SimpleAggregateFunction(max, DateTime64(9)) CODEC(ZSTD(1)),
  -- rows of ended spans, repeated ones each time
  Rows SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD(1)),
  MappingVersion SimpleAggregateFunction(max, UInt16),
  Redacted SimpleAggregateFunction(max, UInt8),
  -- 0 the plan has no span of its own here, 1 it has snapshots alone, 2 its final span is here
  PlanSpan SimpleAggregateFunction(max, UInt8),
  Dialect SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  Source SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  RecordKey SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  Digest SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  -- how many spans the whole record is, as its importer says
  RecordSpans SimpleAggregateFunction(max, UInt32),
  -- The plan's own span (or that of an agent that is a record of its own) of its latest segment, of a sub-plan that went on the
  -- one that began last; of that the final one, else the latest snapshot: from the highest bit on its segment (31 bits), whether
  -- it has ended and is no sub-plan's (1), its start in nanoseconds (64), whether it has ended (1), its snapshot's number + 1
  -- (31). One number, since a tuple is compared value by value.
  Latest SimpleAggregateFunction(max, UInt128) CODEC(ZSTD(1)),
  -- its state; '' where none is told of what has not ended
  State AggregateFunction(argMax, String, UInt128) CODEC(ZSTD(1)),
  -- the heartbeat that it announced
  HeartbeatMs AggregateFunction(argMax, UInt32, UInt64) CODEC(ZSTD(1)),
  -- its role, name of the workflow or agent, status in the system's own word, service
  Facts AggregateFunction(argMax, Tuple(String, String, String, String), UInt64) CODEC(ZSTD(1)),
  -- of the latest such span that says it
  Title AggregateFunction(argMax, String, UInt64) CODEC(ZSTD(1)),
  Request AggregateFunction(argMax, String, UInt64) CODEC(ZSTD(1)),
  HasAgent SimpleAggregateFunction(max, UInt8),
  -- the waits that were open and when they were last heard of, and those that have ended
  OpenWaits SimpleAggregateFunction(groupUniqArrayArray, Array(Tuple(String, DateTime64(9)))) CODEC(ZSTD(1)),
  ClosedWaits SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1)),
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
  max(if(SpanAttributes[${ATTR.planRootId}] = PlanId, '', SpanAttributes[${ATTR.planRootId}])) AS RootPlanId,
  min(Timestamp) AS Start,
  max(fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS End,
  countIf(SpanAttributes[${ATTR.spanState}] != ${PENDING}) AS Rows,
  max(toUInt16OrZero(SpanAttributes[${ATTR.schemaVersion}])) AS MappingVersion,
  max(SpanAttributes[${ATTR.redactedFields}] NOT IN ('', '[]')) AS Redacted
FROM ${spans}
WHERE PlanId != '' AND TraceId != ''
GROUP BY PlanId, TraceId;

-- A view of its own, since few spans have these attributes and looking for one costs a walk over all that a span has.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_progress_mv TO ${database}.plan_states AS
WITH
  SpanAttributes[${ATTR.spanKind}] AS Role,
  SpanAttributes[${ATTR.spanState}] = ${PENDING} AS Pending,
  SpanAttributes[${ATTR.state}] AS Told,
  toUInt8(Role = 'plan' OR (Role = 'agent' AND SpanAttributes[${ATTR.recordDialect}] != '')) AS IsPlan,
  if(
    IsPlan,
    bitShiftLeft(toUInt64(toUInt32OrZero(SpanAttributes[${ATTR.planSegment}])), 32) + bitShiftLeft(toUInt64(NOT Pending), 31)
      + least(toUInt32OrZero(SpanAttributes[${ATTR.snapshotSeq}]), 2147483646) + 1,
    0
  )::UInt64 AS Rank,
  if(
    IsPlan,
    bitShiftLeft(toUInt128(bitShiftRight(Rank, 32) * 2 + (NOT Pending AND SpanAttributes[${ATTR.planRootId}] IN ('', PlanId))), 96)
      + bitShiftLeft(toUInt128(toUInt64(toUnixTimestamp64Nano(Timestamp))), 32)
      + bitAnd(Rank, 4294967295),
    0
  )::UInt128 AS OwnLatest,
  if(IsPlan, substringUTF8(SpanAttributes[${ATTR.planTitle}], 1, 500), '') AS OwnTitle,
  if(
    IsPlan,
    substringUTF8(JSONExtractString(SpanAttributes[${ATTR.inputMessages}], 1, 'parts', 1, 'content'), 1, 500),
    ''
  ) AS OwnRequest,
  Role = 'wait' AND (Pending OR Told = 'waiting') AS IsOpenWait,
  Role = 'wait' AND NOT IsOpenWait AS IsClosedWait,
  multiIf(
    SpanAttributes[${ATTR.waitId}] != '', SpanAttributes[${ATTR.waitId}],
    Pending AND SpanAttributes[${ATTR.pendingSpanId}] != '', SpanAttributes[${ATTR.pendingSpanId}],
    SpanId
  ) AS WaitId,
  -- What has not ended is not over; what has and tells no state went as its status says.
  multiIf(
    Told IN ('completed', 'failed', 'cancelled', 'interrupted'), if(Pending, '', Told),
    Told IN ('planning', 'running', 'updating', 'waiting'), Told,
    Pending, '',
    if(StatusCode = 'Error', 'failed', 'completed')
  ) AS Standing
SELECT
  SpanAttributes[${ATTR.planId}] AS PlanId,
  TraceId,
  max(if(SpanAttributes[${ATTR.planRootId}] = PlanId, '', SpanAttributes[${ATTR.planRootId}])) AS RootPlanId,
  max(if(Role = 'plan', SpanAttributes[${ATTR.planParentId}], '')) AS ParentPlanId,
  min(Timestamp) AS Start,
  max(Timestamp) AS End,
  max(multiIf(NOT IsPlan, 0, Pending, 1, 2)) AS PlanSpan,
  max(SpanAttributes[${ATTR.recordDialect}]) AS Dialect,
  max(SpanAttributes[${ATTR.recordSource}]) AS Source,
  max(SpanAttributes[${ATTR.recordKey}]) AS RecordKey,
  max(SpanAttributes[${ATTR.recordDigest}]) AS Digest,
  max(toUInt32OrZero(SpanAttributes[${ATTR.recordSpanCount}])) AS RecordSpans,
  max(OwnLatest) AS Latest,
  argMaxState(if(IsPlan, Standing, ''), OwnLatest) AS State,
  argMaxState(toUInt32OrZero(SpanAttributes[${ATTR.heartbeatIntervalMs}]), Rank) AS HeartbeatMs,
  argMaxState(
    if(
      IsPlan,
      (
        Role,
        if(Role = 'plan', SpanAttributes[${ATTR.workflowName}], SpanAttributes[${ATTR.agentName}]),
        SpanAttributes[${ATTR.status}],
        toString(ServiceName)
      ),
      ('', '', '', '')
    ),
    Rank
  ) AS Facts,
  argMaxState(OwnTitle, if(OwnTitle = '', 0, Rank)) AS Title,
  argMaxState(OwnRequest, if(OwnRequest = '', 0, Rank)) AS Request,
  max(toUInt8(Role = 'agent')) AS HasAgent,
  groupUniqArrayIf(
    (WaitId, fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))),
    IsOpenWait
  ) AS OpenWaits,
  groupUniqArrayIf(WaitId, IsClosedWait) AS ClosedWaits
FROM ${spans}
WHERE PlanId != '' AND TraceId != '' AND Role IN ('plan', 'agent', 'wait')
GROUP BY PlanId, TraceId;
