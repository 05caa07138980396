-- What traces are found by beside their plans' ids, which plan_states has: another root plan, parent plan, step, tool call,
-- conversation → the traces that carry it, and until when.
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
WITH SpanAttributes[${ATTR.planId}] AS PlanId
SELECT KindAndKey.1 AS Kind, KindAndKey.2 AS Key, TraceId, max(toDateTime(Timestamp)) AS End
FROM ${spans}
ARRAY JOIN arrayFilter(x -> x.2 != '', [
  ('plan.root', if(SpanAttributes[${ATTR.planRootId}] = PlanId, '', SpanAttributes[${ATTR.planRootId}])),
  ('plan.parent', SpanAttributes[${ATTR.planParentId}]),
  ('step', SpanAttributes[${ATTR.stepId}]),
  ('tool_call', SpanAttributes[${ATTR.toolCallId}]),
  ('conversation', SpanAttributes[${ATTR.conversationId}])
]) AS KindAndKey
WHERE TraceId != ''
GROUP BY Kind, Key, TraceId;
