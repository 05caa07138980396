-- Other instrumentations' spans, without what they said: what the rules of mapping/adopt take each for by itself, and of its
-- attributes those that tell of models, tokens, tools and agents. Whether a span is one is asked first, so that planspan's own
-- cost little more. A snapshot is a row of the span that it shows.
CREATE TABLE IF NOT EXISTS ${database}.foreign_spans (
  Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  TraceId String CODEC(ZSTD(1)),
  SpanId String CODEC(ZSTD(1)),
  ParentSpanId String CODEC(ZSTD(1)),
  SpanName LowCardinality(String) CODEC(ZSTD(1)),
  ServiceName LowCardinality(String) CODEC(ZSTD(1)),
  Duration UInt64 CODEC(T64, ZSTD(1)),
  StatusMessage String CODEC(ZSTD(1)),
  -- planspan's plan that it is in, else its trace
  PlanId String CODEC(ZSTD(1)),
  RootPlanId String CODEC(ZSTD(1)),
  Convention LowCardinality(String) CODEC(ZSTD(1)),
  -- a role, or what the tree decides about, such as 'chain'
  Kind LowCardinality(String) CODEC(ZSTD(1)),
  Ended UInt8,
  Failed UInt8,
  -- what an agent or a plan was given
  Request String CODEC(ZSTD(1)),
  Facts Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1
) ENGINE = ReplacingMergeTree(Ended)
PARTITION BY toDate(Timestamp)
PRIMARY KEY (toStartOfMinute(Timestamp), TraceId)
ORDER BY (toStartOfMinute(Timestamp), TraceId, Timestamp, SpanId)
SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.foreign_spans_mv TO ${database}.foreign_spans AS
SELECT
  Timestamp,
  TraceId,
  Span AS SpanId,
  Parent AS ParentSpanId,
  SpanName,
  ServiceName,
  Duration,
  StatusMessage,
  OwnPlan AS PlanId,
  OwnRoot AS RootPlanId,
  Convention,
  Kind,
  NOT Pending AS Ended,
  Failed,
  if(Kind IN ('plan', 'agent', 'chain', 'span'), ${foreign_request}, '') AS Request,
  Facts
FROM (
  SELECT *, ${foreign_convention} AS Convention, ${foreign_kind} AS Kind
  FROM (
    SELECT
      *,
      ${foreign_rule} AS Rule,
      Told OR ${foreign_says_failed} AS Failed,
      if(Pending AND ParentSpanId != '', ParentSpanId, SpanId) AS Span,
      if(Pending, ${foreign_snapshot_parent}, ParentSpanId) AS Parent,
      if(Plan = '', TraceId, Plan) AS OwnPlan,
      if(Root = '', OwnPlan, Root) AS OwnRoot
    FROM (
      SELECT *, ${foreign_lines} AS Lines
      FROM (
        SELECT
          Timestamp, TraceId, SpanId, ParentSpanId, SpanName, ServiceName, ScopeName, Duration, StatusMessage, SpanAttributes,
          StatusCode = 'Error' OR has(Events.Name, ${EVENTS.exception}) AS Told,
          ${foreign_is_snapshot} AS Pending,
          SpanAttributes[${ATTR.planId}] AS Plan,
          SpanAttributes[${ATTR.planRootId}] AS Root,
          mapFilter((key, value) -> key IN ${foreign_keys}, SpanAttributes) AS Facts,
          ${foreign_input} AS Input
        FROM ${spans}
        WHERE TraceId != '' AND ${may_be_foreign}
      )
    )
  )
)
WHERE Rule > 0 AND Kind != 'none';

-- A row an insert of a trace of other instrumentations: it is one plan, whose id is its own. Every column is min, max, argMax or
-- a set of bits, so that a span that comes twice changes nothing.
CREATE TABLE IF NOT EXISTS ${database}.foreign_plans (
  TraceId String CODEC(ZSTD(1)),
  Start SimpleAggregateFunction(min, DateTime64(9)) CODEC(ZSTD(1)),
  End SimpleAggregateFunction(max, DateTime64(9)) CODEC(ZSTD(1)),
  -- what is among its spans: an agent (1), a tool call (2), a model call (4), a plan or what may be one (8), one whose state is
  -- the plan's (16)
  Holds SimpleAggregateFunction(groupBitOr, UInt8) CODEC(ZSTD(1)),
  State AggregateFunction(argMax, String, UInt64) CODEC(ZSTD(1)),
  -- the convention and service of the span that it is named after
  Source AggregateFunction(argMax, Tuple(String, String), UInt64) CODEC(ZSTD(1)),
  Title AggregateFunction(argMax, String, UInt64) CODEC(ZSTD(1)),
  Request AggregateFunction(argMax, String, UInt64) CODEC(ZSTD(1)),
  Conversation AggregateFunction(argMax, String, UInt64) CODEC(ZSTD(1)),
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfWeek(Start)
ORDER BY (toStartOfHour(Start), TraceId)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

-- It stands as its outermost span does: a run that goes on where another was suspended, else the root, else a plan before an
-- agent, of several the first; what has none of these goes on. It is named after a plan before an agent before the root.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.foreign_plans_mv TO ${database}.foreign_plans AS
SELECT
  TraceId,
  min(Timestamp) AS Start,
  max(fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS End,
  groupBitOr(toUInt8(Bits + 16 * (Level > 0))) AS Holds,
  argMaxState(
    multiIf(NOT Ended OR Level = 0, 'running', Failed, 'failed', ${foreign_is_suspended}, 'waiting', 'completed'),
    (if(IsResumed, bitShiftLeft(4::UInt64, 59) + Began, bitShiftLeft((ParentSpanId = '')::UInt64, 60) + Rank) * 2 + Ended)::UInt64
  ) AS State,
  argMaxState((toString(Convention), toString(ServiceName)), Rank) AS Source,
  argMaxState(Name, (Rank * (Name != ''))::UInt64) AS Title,
  argMaxState(Asked, (Rank * (Asked != ''))::UInt64) AS Request,
  argMaxState(Talk, (Rank * (Talk != ''))::UInt64) AS Conversation
FROM (
  SELECT
    *,
    -- Of those of a level the first: microseconds, which leave a number of 59 bits room for the level.
    (bitShiftLeft((Level + 1)::UInt64, 55) - toUnixTimestamp64Micro(Timestamp))::UInt64 AS Rank,
    toUInt64(toUnixTimestamp64Micro(Timestamp)) AS Began,
    substringUTF8(multiIf(Kind = 'plan', ${foreign_title}, Kind = 'agent', ${foreign_agent_name}, Level > 0, SpanName::String, ''), 1, 500) AS Name,
    if(Level > 0, Request, '') AS Asked,
    if(Kind IN ('llm', 'generation'), '', ${foreign_conversation}) AS Talk
  FROM (
    SELECT
      *,
      ${foreign_known} AS Known,
      transform(Kind::String, ['agent', 'tool', 'llm', 'generation', 'plan', 'chain', 'span'], [1, 2, 4, 4, 8, 8, 8], 0) AS Bits,
      multiIf(Kind = 'plan', 4, ParentSpanId != '', 2 * (Kind = 'agent'), Kind IN ('chain', 'span'), 3, Kind = 'agent', 2, 1) AS Level,
      Kind = 'plan' AND ${foreign_is_resumed} AS IsResumed
    FROM ${foreign_spans}
    WHERE PlanId = TraceId
  )
)
GROUP BY TraceId;
