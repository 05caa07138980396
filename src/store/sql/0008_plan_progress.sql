-- How a live plan goes on, beside where its own span says it stands: its latest row (the latest segment, then its final
-- span, then its latest snapshot), what its latest segment that has them says for title and request, whether an agent has
-- begun, which waits were open and when they were last heard of, and which have ended.
ALTER TABLE ${database}.plan_states
  -- state, '' where the span tells none; whether it has not ended; the heartbeat that it announced; its start
  ADD COLUMN IF NOT EXISTS Latest AggregateFunction(argMaxIf, Tuple(String, UInt8, UInt32, DateTime64(9)), Tuple(UInt32, UInt8, UInt32, DateTime64(9)), UInt8) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS Title AggregateFunction(argMaxIf, String, Tuple(UInt32, UInt8, UInt32, DateTime64(9)), UInt8) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS Request AggregateFunction(argMaxIf, String, Tuple(UInt32, UInt8, UInt32, DateTime64(9)), UInt8) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS HasAgent SimpleAggregateFunction(max, UInt8),
  ADD COLUMN IF NOT EXISTS OpenWaits AggregateFunction(groupUniqArrayIf, Tuple(String, DateTime64(9)), UInt8) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS ClosedWaits AggregateFunction(groupUniqArrayIf, String, UInt8) CODEC(ZSTD(1));

CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_progress_mv TO ${database}.plan_states AS
WITH
  SpanAttributes[${ATTR.spanKind}] AS Role,
  SpanAttributes[${ATTR.spanState}] = ${PENDING} AS Pending,
  SpanAttributes[${ATTR.state}] AS Told,
  Role = 'plan' OR (Role = 'agent' AND SpanAttributes[${ATTR.recordDialect}] != '') AS IsPlan,
  (
    toUInt32OrZero(SpanAttributes[${ATTR.planSegment}]),
    toUInt8(NOT Pending),
    toUInt32OrZero(SpanAttributes[${ATTR.snapshotSeq}]),
    Timestamp
  ) AS Recency,
  substringUTF8(SpanAttributes[${ATTR.planTitle}], 1, 500) AS OwnTitle,
  substringUTF8(JSONExtractString(SpanAttributes[${ATTR.inputMessages}], 1, 'parts', 1, 'content'), 1, 500) AS OwnRequest,
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
  min(Timestamp) AS Start,
  max(Timestamp) AS End,
  argMaxIfState(
    (Standing, toUInt8(Pending), toUInt32OrZero(SpanAttributes[${ATTR.heartbeatIntervalMs}]), Timestamp),
    Recency,
    toUInt8(IsPlan)
  ) AS Latest,
  argMaxIfState(OwnTitle, Recency, toUInt8(IsPlan AND OwnTitle != '')) AS Title,
  argMaxIfState(OwnRequest, Recency, toUInt8(IsPlan AND OwnRequest != '')) AS Request,
  max(toUInt8(Role = 'agent')) AS HasAgent,
  groupUniqArrayIfState(
    (WaitId, fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))),
    toUInt8(IsOpenWait)
  ) AS OpenWaits,
  groupUniqArrayIfState(WaitId, toUInt8(IsClosedWait)) AS ClosedWaits
FROM ${spans}
WHERE PlanId != '' AND TraceId != '' AND Role IN ('plan', 'agent', 'wait')
GROUP BY PlanId, TraceId;
