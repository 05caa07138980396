-- name: plan
SELECT PlanId, concat(formatDateTime(Timestamp, '%Y-%m-%d %H:%i  '), if(IsRoot, '', '↳ '), substringUTF8({{title}}, 1, 80)) AS Label
FROM plans
WHERE $__timeFilter(Timestamp)
ORDER BY Timestamp DESC
LIMIT 500

-- name: trace
SELECT TraceId
FROM plans
WHERE PlanId = ${plan:sqlstring}
ORDER BY Timestamp DESC
LIMIT 1

-- name: totals
WITH
  used AS (
    SELECT TotalTokens, CostUsd FROM plan_usage WHERE TraceId = ${trace:sqlstring} AND PlanId = ${plan:sqlstring}
  ),
  people AS (
    SELECT sum(ifNull(DurationMs, toFloat64(dateDiff('millisecond', Timestamp, now64(9))))) AS Milliseconds
    FROM waits
    WHERE TraceId = ${trace:sqlstring}
  )
SELECT
  State, DurationMs, ProgressPercent,
  (SELECT TotalTokens FROM used) AS TotalTokens,
  (SELECT CostUsd FROM used) AS CostUsd,
  (SELECT max(Score) FROM risks WHERE TraceId = ${trace:sqlstring}) AS HighestRisk,
  (SELECT Milliseconds FROM people) AS Waited
FROM plans
WHERE TraceId = ${trace:sqlstring} AND PlanId = ${plan:sqlstring}

-- name: about
SELECT About.1 AS Field, About.2 AS Value
FROM (
  SELECT
    arrayJoin([
      ('Title', Title), ('Request', Request), ('Summary', Summary), ('Workflow', Workflow), ('Service', toString(ServiceName)),
      ('Record', multiIf(Dialect != '', Dialect, Convention != '', Convention, 'live')), ('Error', ErrorMessage), ('Started', toString(toDateTime(Timestamp))), ('Plan', PlanId), ('Trace', TraceId)
    ]) AS About
  FROM plans
  WHERE TraceId = ${trace:sqlstring} AND PlanId = ${plan:sqlstring}
)
WHERE Value != ''

-- name: steps
SELECT StepIndex, State, Title, AgentName, Attempts, toDateTime(StartedAt) AS Started, DurationMs, ErrorMessage
FROM steps
WHERE TraceId = ${trace:sqlstring} AND PlanId = ${plan:sqlstring}
ORDER BY StepIndex

-- name: tree
WITH RECURSIVE
  nodes AS (
    SELECT SpanId, ParentSpanId, Timestamp, SpanName, StatusCode, Duration
    FROM spans
    WHERE TraceId = ${trace:sqlstring}
  ),
  tree AS (
    SELECT SpanId, 0 AS Depth, [(Timestamp, SpanId)] AS Path FROM nodes WHERE ParentSpanId GLOBAL NOT IN (SELECT SpanId FROM nodes)
    UNION ALL
    SELECT node.SpanId, tree.Depth + 1, arrayPushBack(tree.Path, (node.Timestamp, node.SpanId))
    FROM nodes AS node
    INNER JOIN tree ON node.ParentSpanId = tree.SpanId
    WHERE tree.Depth < 100
  )
SELECT
  -- Em spaces, because HTML collapses ordinary spaces.
  concat(repeat('\xE2\x80\x83', tree.Depth * 2), nodes.SpanName) AS Span,
  dateDiff('microsecond', min(nodes.Timestamp) OVER (), nodes.Timestamp) / 1000 AS AfterMs,
  nodes.Duration / 1000000 AS DurationMs,
  if(nodes.StatusCode = 'Error', 'failed', '') AS State
FROM nodes
INNER JOIN tree ON tree.SpanId = nodes.SpanId
ORDER BY tree.Path

-- name: tokens_by_role
SELECT UsageRole AS Role, sum(TotalTokens) AS Tokens
FROM model_calls
WHERE TraceId = ${trace:sqlstring}
GROUP BY Role
ORDER BY Tokens DESC

-- name: model_calls
SELECT toDateTime(Timestamp) AS Time, PricedModel AS Model, UsageRole, InputTokens, CacheReadTokens, OutputTokens, DurationMs, CostUsd
FROM model_calls
WHERE TraceId = ${trace:sqlstring}
ORDER BY Timestamp

-- name: risks
SELECT toDateTime(Timestamp) AS Time, GuardrailName, Score, IsSafe, ActionTaken, ToolName, arrayStringConcat(Policies, ', ') AS Policies, Explanation
FROM risks
WHERE TraceId = ${trace:sqlstring}
ORDER BY Timestamp

-- name: people
SELECT *
FROM (
  SELECT
    toDateTime(Timestamp) AS Time, Reason AS Kind, if(IsOpen, 'open', Resolution) AS Outcome,
    concat(Title, if(ReviewFeedback = '', '', concat(': ', ReviewFeedback))) AS Said,
    ifNull(DurationMs, toFloat64(dateDiff('millisecond', Timestamp, now64(9)))) AS DurationMs
  FROM waits
  WHERE TraceId = ${trace:sqlstring}
  UNION ALL
  SELECT toDateTime(ifNull(ReviewedAt, Timestamp)), 'plan', Decision, Feedback, NULL
  FROM reviews
  WHERE TraceId = ${trace:sqlstring}
)
ORDER BY Time

-- name: spans
SELECT
  TraceId AS traceID,
  SpanId AS spanID,
  ParentSpanId AS parentSpanID,
  ServiceName AS serviceName,
  SpanName AS operationName,
  toUnixTimestamp64Nano(Timestamp) / 1000000 AS startTime,
  Duration / 1000000 AS duration,
  arrayMap(key -> map('key', key, 'value', SpanAttributes[key]), mapKeys(SpanAttributes)) AS tags,
  arrayMap(key -> map('key', key, 'value', ResourceAttributes[key]), mapKeys(ResourceAttributes)) AS serviceTags,
  if(StatusCode = 'Error', 2, 0) AS statusCode,
  SpanKind AS kind,
  StatusMessage AS statusMessage,
  arrayMap(
    (name, time, attributes) -> (name, toString(toUnixTimestamp64Milli(time)), arrayMap(key -> map('key', key, 'value', attributes[key]), mapKeys(attributes)))
      ::Tuple(name String, timestamp String, fields Array(Map(String, String))),
    Events.Name, Events.Timestamp, Events.Attributes
  ) AS logs,
  arrayMap(
    (trace, span, attributes) -> (trace, span, arrayMap(key -> map('key', key, 'value', attributes[key]), mapKeys(attributes)))
      ::Tuple(traceID String, spanID String, tags Array(Map(String, String))),
    Links.TraceId, Links.SpanId, Links.Attributes
  ) AS references
FROM spans
WHERE TraceId = ${trace:sqlstring}
ORDER BY Timestamp
