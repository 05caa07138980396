-- The steps of a plan by the ids that its list gives them: a step that no agent has begun has no span of its own. A kind
-- apart from begun steps, which answer first.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.listed_steps_mv TO ${database}.plan_keys AS
WITH SpanAttributes[${ATTR.planStepsJson}] AS Steps
SELECT
  'step.listed' AS Kind,
  arrayJoin(arrayFilter(id -> id != '', arrayMap(step -> JSONExtractString(step, 'id'), JSONExtractArrayRaw(Steps)))) AS Key,
  TraceId,
  max(toDateTime(Timestamp)) AS End
FROM ${spans}
WHERE Steps != '' AND TraceId != ''
GROUP BY Kind, Key, TraceId;
