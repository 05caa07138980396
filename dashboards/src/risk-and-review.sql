-- name: chosen_guardrails
{{chosen_services}}
AND $__conditionalAll(GuardrailName IN (${guardrail:sqlstring}), $guardrail)

-- name: guardrail
SELECT DISTINCT GuardrailName FROM risks
WHERE $__timeFilter(Timestamp) AND GuardrailName != ''
  {{chosen_services}}
ORDER BY GuardrailName

-- name: risk_totals
SELECT
  count() AS Assessments,
  countIf(IsUnsafe) AS Unsafe,
  countIf(IsUnsafe AND ifNull(ActionTaken, false)) AS TakenNonetheless,
  max(Score) AS Highest
FROM risks
WHERE $__timeFilter(Timestamp)
  {{chosen_guardrails}}

-- name: wait_totals
SELECT countIf(IsOpen) AS Open, quantile(0.5)(DurationMs) AS MedianWait
FROM waits
WHERE (IsOpen OR $__timeFilter(Timestamp))
  {{chosen_services}}

-- name: scores
SELECT $__timeInterval(Timestamp) AS Time, avg(Score) AS mean, quantile(0.95)(Score) AS p95, max(Score) AS highest
FROM risks
WHERE $__timeFilter(Timestamp) AND isNotNull(Score)
  {{chosen_guardrails}}
GROUP BY Time
ORDER BY Time

-- name: verdicts
SELECT
  $__timeInterval(Timestamp) AS Time,
  multiIf(NOT IsUnsafe, if(isNull(IsSafe), 'no verdict', 'safe'), isNull(ActionTaken), 'unsafe, unknown if taken', ActionTaken, 'unsafe, taken', 'unsafe, not taken') AS Verdict,
  count() AS Value
FROM risks
WHERE $__timeFilter(Timestamp)
  {{chosen_guardrails}}
GROUP BY Time, Verdict
ORDER BY Time

-- name: policies
SELECT arrayJoin(Policies) AS Policy, count() AS Violations
FROM risks
WHERE $__timeFilter(Timestamp)
  {{chosen_guardrails}}
GROUP BY Policy
ORDER BY Violations DESC
LIMIT 10

-- name: unsafe_actions
SELECT
  toDateTime(Timestamp) AS Time, Score, ToolName, arrayStringConcat(Policies, ', ') AS Policies, Explanation, ActionTaken,
  GuardrailName, PlanId
FROM risks
WHERE $__timeFilter(Timestamp) AND IsUnsafe AND ifNull(ActionTaken, true)
  {{chosen_guardrails}}
ORDER BY ActionTaken DESC, Score DESC
LIMIT 100

-- name: decisions
SELECT $__timeInterval(Timestamp) AS Time, Decision, count() AS Value
FROM reviews
WHERE $__timeFilter(Timestamp) AND Decision != ''
  {{chosen_services}}
GROUP BY Time, Decision
ORDER BY Time

-- name: waiting_time
SELECT $__timeInterval(Timestamp) AS Time, if(Reason = '', 'not recorded', Reason) AS Kind, quantile(0.5)(DurationMs / 1000) AS Value
FROM waits
WHERE $__timeFilter(Timestamp) AND isNotNull(DurationMs)
  {{chosen_services}}
GROUP BY Time, Kind
ORDER BY Time

-- name: reviews
SELECT toDateTime(Timestamp) AS PlanStarted, Decision, Attempt, Feedback, Reviewer, PlanId
FROM reviews
WHERE $__timeFilter(Timestamp)
  {{chosen_services}}
ORDER BY Timestamp DESC
LIMIT 100

-- name: open_waits
SELECT toDateTime(Timestamp) AS Since, dateDiff('second', Timestamp, now64(9)) AS Waiting, Reason, Title, ServiceName, PlanId
FROM waits
WHERE IsOpen
  {{chosen_services}}
ORDER BY Timestamp
LIMIT 100
