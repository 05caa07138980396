-- What traces are found by: a plan that is its own root ('plan') or not ('plan.sub'), another root plan, parent plan, begun step,
-- step of a plan's list, tool call, conversation, imported record (dialect, source and key, as a hash) → the traces that carry it,
-- and until when.
CREATE TABLE IF NOT EXISTS ${database}.plan_keys (
  Kind LowCardinality(String),
  Key String CODEC(ZSTD(1)),
  TraceId String CODEC(ZSTD(1)),
  End SimpleAggregateFunction(max, DateTime) CODEC(ZSTD(1))
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfWeek(End)
ORDER BY (Kind, Key, TraceId)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

-- Kinds are numbers until rows are grouped, beside the keys rather than in tuples with them: a span has up to eight, most empty.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_keys_mv TO ${database}.plan_keys AS
SELECT
  ['plan', 'plan.sub', 'plan.root', 'plan.parent', 'step', 'tool_call', 'conversation', 'record', 'step.listed'][Number] AS Kind,
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
      span.SpanAttributes[${ATTR.planParentId}],
      span.StepId,
      span.ToolCallId,
      span.ConversationId,
      if(
        span.SpanAttributes[${ATTR.recordKey}] = '', '',
        lower(hex(sipHash128(span.RecordDialect, span.SpanAttributes[${ATTR.recordSource}], span.SpanAttributes[${ATTR.recordKey}])))
      )
    ] AS Own,
    [if(span.RootPlanId = '' OR span.RootPlanId = span.PlanId, 1, 2), 3, 4, 5, 6, 7, 8] AS Numbers,
    arrayMap(step -> JSONExtractString(step, 'id'), JSONExtractArrayRaw(span.StepsJson)) AS Listed
  FROM ${spans} AS span
  WHERE TraceId != ''
)
ARRAY JOIN arrayConcat(Own, Listed) AS Key, arrayConcat(Numbers, arrayMap(step -> 9, Listed)) AS Number
WHERE Key != ''
GROUP BY Number, Key, TraceId;
