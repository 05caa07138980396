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

CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_keys_mv TO ${database}.plan_keys AS
SELECT KindAndKey.1 AS Kind, KindAndKey.2 AS Key, TraceId, max(toDateTime(Timestamp)) AS End
FROM ${spans} AS span
ARRAY JOIN arrayFilter(x -> x.2 != '', arrayConcat(
  [
    (if(span.RootPlanId = '' OR span.RootPlanId = span.PlanId, 'plan', 'plan.sub'), span.PlanId),
    ('plan.root', if(span.RootPlanId = span.PlanId, '', span.RootPlanId)),
    ('plan.parent', span.SpanAttributes[${ATTR.planParentId}]),
    ('step', span.StepId),
    ('tool_call', span.ToolCallId),
    ('conversation', span.ConversationId),
    ('record', if(
      span.SpanAttributes[${ATTR.recordKey}] = '', '',
      lower(hex(sipHash128(span.RecordDialect, span.SpanAttributes[${ATTR.recordSource}], span.SpanAttributes[${ATTR.recordKey}])))
    ))
  ],
  arrayMap(step -> ('step.listed', JSONExtractString(step, 'id')), JSONExtractArrayRaw(span.StepsJson))
)) AS KindAndKey
WHERE TraceId != ''
GROUP BY Kind, Key, TraceId;
