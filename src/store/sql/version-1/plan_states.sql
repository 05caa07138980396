-- A row a plan and trace, for lists, for choosing a trace, and for where a plan stands. Every column is min, max, argMax or a
-- set, so that a span that comes twice changes nothing; Rows alone counts what comes, to tell that something has come.
CREATE TABLE IF NOT EXISTS ${database}.plan_states (
  TraceId String CODEC(ZSTD(1)),
  PlanId String CODEC(ZSTD(1)),
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
  -- the indexes of the steps that agents have begun, and of those that are completed
  BegunSteps SimpleAggregateFunction(groupUniqArrayArray, Array(Int64)) CODEC(ZSTD(1)),
  DoneSteps SimpleAggregateFunction(groupUniqArrayArray, Array(Int64)) CODEC(ZSTD(1)),
  -- the task of the agent that began last
  LastTask AggregateFunction(argMax, String, DateTime64(9)) CODEC(ZSTD(1)),
  -- when the plan's own spans began that are of no later segment: several where it ran again
  Starts SimpleAggregateFunction(groupUniqArrayArray, Array(DateTime64(9))) CODEC(ZSTD(1)),
  -- the step, start and span of each agent at work on a step that has an id
  StepAgents SimpleAggregateFunction(groupUniqArrayArray, Array(Tuple(String, DateTime64(9), String))) CODEC(ZSTD(1)),
  -- the list of the last planning that has one, of the latest row that tells it
  PlannedSteps AggregateFunction(argMax, String, UInt128) CODEC(ZSTD(1)),
  PlannedStepsJson AggregateFunction(argMax, String, UInt128) CODEC(ZSTD(1)),
  INDEX idx_latest Latest TYPE minmax GRANULARITY 1,
  INDEX idx_open ${may_be_open} TYPE minmax GRANULARITY 1,
  INDEX idx_record RecordKey TYPE minmax GRANULARITY 1,
  PROJECTION by_start (SELECT Start, TraceId ORDER BY Start)
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfWeek(Start)
ORDER BY (TraceId, PlanId)
SETTINGS index_granularity = 256, deduplicate_merge_projection_mode = 'rebuild',
  ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

-- A duration wraps when a span ends before it starts: such a span ends where it starts.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_states_mv TO ${database}.plan_states AS
SELECT
  TraceId,
  span.PlanId AS PlanId,
  max(if(span.RootPlanId = span.PlanId, '', span.RootPlanId)) AS RootPlanId,
  min(span.Timestamp) AS Start,
  max(fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS End,
  countIf(span.SpanState != ${PENDING}) AS Rows,
  max(toUInt16OrZero(span.SpanAttributes[${ATTR.schemaVersion}])) AS MappingVersion,
  max(span.SpanAttributes[${ATTR.redactedFields}] NOT IN ('', '[]')) AS Redacted
FROM ${spans} AS span
WHERE span.PlanId != '' AND TraceId != ''
GROUP BY TraceId, PlanId;

-- A view of its own, since few spans have these attributes and looking for one costs a walk over all that a span has. In steps,
-- each a query: ClickHouse writes out a name wherever it is used, and inserts of few spans take as long as that is.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_progress_mv TO ${database}.plan_states AS
SELECT
  TraceId,
  PlanId,
  max(Root) AS RootPlanId,
  max(ParentPlan) AS ParentPlanId,
  min(Timestamp) AS Start,
  max(Timestamp) AS End,
  max(multiIf(NOT IsPlan, 0, Pending, 1, 2)) AS PlanSpan,
  max(RecordDialect) AS Dialect,
  max(RecordSource) AS Source,
  max(Record) AS RecordKey,
  max(RecordDigest) AS Digest,
  max(SpanCount) AS RecordSpans,
  max(OwnLatest) AS Latest,
  argMaxState(if(IsPlan, Standing, ''), OwnLatest) AS State,
  argMaxState(Heartbeat, Rank) AS HeartbeatMs,
  argMaxState(OwnFacts, Rank) AS Facts,
  argMaxState(OwnTitle, if(OwnTitle = '', 0, Rank)) AS Title,
  argMaxState(OwnRequest, if(OwnRequest = '', 0, Rank)) AS Request,
  max(IsAgent) AS HasAgent,
  groupUniqArrayIf((Wait, EndsAt), IsWait AND IsOpen) AS OpenWaits,
  groupUniqArrayIf(Wait, IsWait AND NOT IsOpen) AS ClosedWaits,
  groupUniqArrayIf(Step, AgentState != '') AS BegunSteps,
  groupUniqArrayIf(Step, AgentState = 'completed') AS DoneSteps,
  argMaxState(if(AgentState != '', Task, ''), if(AgentState != '', Timestamp, toDateTime64(0, 9))) AS LastTask,
  groupUniqArrayIf(Timestamp, IsFirst) AS Starts,
  groupUniqArrayIf((StepId, Timestamp, OwnSpan), IsAgent AND StepId != '') AS StepAgents,
  argMaxState(if(ListedLatest > 0, ListedSteps, ''), ListedLatest) AS PlannedSteps,
  argMaxState(if(ListedLatest > 0, ListedJson, ''), ListedLatest) AS PlannedStepsJson
FROM (
  SELECT
    *,
    if(
      IsPlan,
      bitShiftLeft(toUInt128(bitShiftRight(Rank, 32) * 2 + (NOT Pending AND Root = '')), 96)
        + bitShiftLeft(toUInt128(toUInt64(toUnixTimestamp64Nano(Timestamp))), 32)
        + bitShiftLeft(toUInt64(NOT Pending), 31)
        + bitShiftLeft(toUInt64(least(bitAnd(Rank, 2147483647), 1073741823)), 1)
        + (Standing = 'waiting'),
      0
    )::UInt128 AS OwnLatest,
    if(HasStep, ${agent_state}, '') AS AgentState
  FROM (
    SELECT
      TraceId,
      Timestamp,
      span.PlanId AS PlanId,
      if(span.RootPlanId = span.PlanId, '', span.RootPlanId) AS Root,
      if(span.Role = 'plan', span.SpanAttributes[${ATTR.planParentId}], '') AS ParentPlan,
      span.SpanState = ${PENDING} AS Pending,
      toUInt8(span.Role = 'plan' OR (span.Role = 'agent' AND span.RecordDialect != '')) AS IsPlan,
      toString(span.RecordDialect) AS RecordDialect,
      span.SpanAttributes[${ATTR.recordSource}] AS RecordSource,
      span.SpanAttributes[${ATTR.recordKey}] AS Record,
      span.SpanAttributes[${ATTR.recordDigest}] AS RecordDigest,
      toUInt32OrZero(span.SpanAttributes[${ATTR.recordSpanCount}]) AS SpanCount,
      toUInt32OrZero(span.SpanAttributes[${ATTR.heartbeatIntervalMs}]) AS Heartbeat,
      if(
        IsPlan,
        bitShiftLeft(toUInt64(accurateCastOrDefault(ifNull(span.Segment, 0), 'UInt32')), 32) + bitShiftLeft(toUInt64(NOT Pending), 31)
          + least(accurateCastOrDefault(ifNull(span.SnapshotSeq, 0), 'UInt32'), 2147483646) + 1,
        0
      )::UInt64 AS Rank,
      -- What has not ended is not over; what has and tells no state went as its status says.
      multiIf(
        span.State IN ('completed', 'failed', 'cancelled', 'interrupted'), if(Pending, '', toString(span.State)),
        span.State IN ('planning', 'running', 'updating', 'waiting'), toString(span.State),
        Pending, '',
        if(StatusCode = 'Error', 'failed', 'completed')
      ) AS Standing,
      if(
        IsPlan,
        (
          toString(span.Role),
          toString(if(span.Role = 'plan', span.Workflow, span.AgentName)),
          toString(span.Status),
          toString(span.ServiceName)
        ),
        ('', '', '', '')
      ) AS OwnFacts,
      if(IsPlan, substringUTF8(span.Title, 1, 500), '') AS OwnTitle,
      if(
        IsPlan,
        substringUTF8(JSONExtractString(span.SpanAttributes[${ATTR.inputMessages}], 1, 'parts', 1, 'content'), 1, 500),
        ''
      ) AS OwnRequest,
      span.Role = 'plan' AND ifNull(span.Segment, 0) <= 0 AS IsFirst,
      toUInt8(span.Role = 'agent') AS IsAgent,
      span.StepId AS StepId,
      ${row_span} AS OwnSpan,
      span.Role = 'wait' AS IsWait,
      Pending OR span.State = 'waiting' AS IsOpen,
      if(span.WaitId != '', span.WaitId, OwnSpan) AS Wait,
      fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0)) AS EndsAt,
      span.Role = 'agent' AND isNotNull(span.StepIndex) AS HasStep,
      assumeNotNull(span.StepIndex) AS Step,
      span.StepDescription AS Task,
      -- No snapshot says that an agent has completed, so that all its rows count alike.
      if(span.Role = 'agent', ${agent_told}, '') AS AgentTold,
      span.Steps AS ListedSteps,
      span.StepsJson AS ListedJson,
      if(
        span.Role = 'planning' AND (span.Steps NOT IN ('', '[]') OR span.StepsJson NOT IN ('', '[]')),
        bitShiftLeft(toUInt128(toUInt64(toUnixTimestamp64Nano(Timestamp))), 33) + span.Recency,
        0
      )::UInt128 AS ListedLatest
    FROM ${spans} AS span
    WHERE span.PlanId != '' AND TraceId != '' AND span.Role IN ('plan', 'planning', 'agent', 'wait')
  )
)
GROUP BY TraceId, PlanId;
