-- The keys that find traces: a plan that is its own root ('plan') or is not ('plan.sub'), another root plan, a step that has begun,
-- a step of a plan's list, a tool call, a conversation, an imported record (a hash of dialect, source and key). End is the last
-- start of a span with the key.
CREATE TABLE IF NOT EXISTS ${database}.plan_keys (
  Kind LowCardinality(String),
  Key String CODEC(ZSTD(1)),
  TraceId String CODEC(ZSTD(1)),
  End SimpleAggregateFunction(max, DateTime) CODEC(ZSTD(1))
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfWeek(End)
ORDER BY (Kind, Key, TraceId)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

-- Kinds are numbers until rows are grouped, in an array beside the keys: a span has up to seven keys, most of them empty.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_keys_mv TO ${database}.plan_keys AS
SELECT
  ['plan', 'plan.sub', 'plan.root', 'step', 'tool_call', 'conversation', 'record', 'step.listed'][Number] AS Kind,
  Key,
  TraceId,
  max(Second) AS End
FROM (
  SELECT
    TraceId,
    toDateTime(Timestamp) AS Second,
    [
      span.PlanId,
      if(span.RootPlanId = span.PlanId, '', span.RootPlanId),
      span.StepId,
      span.ToolCallId,
      span.ConversationId,
      if(
        span.RecordDialect = '', '',
        lower(hex(sipHash128(span.RecordDialect, span.SpanAttributes[${ATTR.recordSource}], span.SpanAttributes[${ATTR.recordKey}])))
      )
    ] AS Own,
    [if(span.RootPlanId = '' OR span.RootPlanId = span.PlanId, 1, 2), 3, 4, 5, 6, 7] AS Numbers,
    arrayMap(
      step -> JSONExtractString(step, 'id'),
      JSONExtractArrayRaw(if(span.Role IN ('plan', 'planning'), span.SpanAttributes[${ATTR.planStepsJson}], ''))
    ) AS Listed
  FROM ${spans} AS span
  WHERE TraceId != ''
)
ARRAY JOIN arrayConcat(Own, Listed) AS Key, arrayConcat(Numbers, arrayMap(step -> 8, Listed)) AS Number
WHERE Key != ''
GROUP BY Number, Key, TraceId;
