-- The keys by which traces are found, by kind: an outermost plan ('plan'), a sub-plan ('plan.sub'), the outermost plan
-- of a sub-plan ('plan.root'), a step that has begun, a step in a plan's list, a tool call, a conversation, and an
-- imported record. Keys are hashes, which take half the space of the texts. On a collision a lookup also returns a
-- trace without the key, which readers tolerate. End is the day of the last span with the key. A lookup reads every
-- part, because a key has no time. Monthly partitions keep the number of parts low.
CREATE TABLE IF NOT EXISTS ${database}.plan_keys (
  Kind LowCardinality(String),
  Key UInt64 CODEC(ZSTD(1)),
  TraceId String CODEC(ZSTD(1)),
  End SimpleAggregateFunction(max, Date) CODEC(ZSTD(1))
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfMonth(End)
ORDER BY (Kind, Key, TraceId)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

-- Kinds are numbers in an array beside the keys until the rows are grouped. A span has up to seven keys; most are empty.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_keys_mv TO ${database}.plan_keys AS
SELECT
  ['plan', 'plan.sub', 'plan.root', 'step', 'tool_call', 'conversation', 'record', 'step.listed'][Number] AS Kind,
  sipHash64(Text) AS Key,
  TraceId,
  max(Day) AS End
FROM (
  SELECT
    TraceId,
    toDate(Timestamp) AS Day,
    [
      span.PlanId,
      if(span.RootPlanId = span.PlanId, '', span.RootPlanId),
      span.StepId,
      span.SpanAttributes[${ATTR.toolCallId}],
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
ARRAY JOIN arrayConcat(Own, Listed) AS Text, arrayConcat(Numbers, arrayMap(step -> 8, Listed)) AS Number
WHERE Text != ''
GROUP BY Number, Key, TraceId;
