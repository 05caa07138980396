-- What is open in a live plan goes on as long as no later segment of the plan began without it, and as long as the plan is not
-- silent for longer than it announced.
SELECT
  span.* REPLACE (
    multiIf(
      span.State NOT IN ('planning', 'running', 'updating', 'waiting'), span.State,
      fromUnixTimestamp64Nano(span.LastNanoseconds) < resumed.Since, 'interrupted',
      span.State != 'waiting' AND (span.TraceId, span.RootPlanId) GLOBAL IN (
        SELECT TraceId, PlanId FROM ${database}.plan_standings WHERE State = 'interrupted'
      ), 'interrupted',
      span.State
    ) AS State
  ),
  resumed.Since AS LatestSegment
FROM (${spans}) AS span
ANY LEFT JOIN (${resumed_plans}) AS resumed ON resumed.ResumedTrace = span.TraceId AND resumed.ResumedPlan = span.RootPlanId
