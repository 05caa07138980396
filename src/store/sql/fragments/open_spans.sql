WITH
  -- One look-up instead of two, since ClickHouse takes the longer the more often a query names the view.
  arrayFirstIndex(
    left -> (span.TraceId, span.PlanId, left) GLOBAL IN (
      SELECT TraceId, PlanId, LeftOpen FROM ${database}.open_plans WHERE LeftOpen != 'interrupted'
    ),
    ['', 'waiting']
  ) AS LeftOpen
SELECT span.* REPLACE (${state} AS State)
FROM (${spans}) AS span
ANY LEFT JOIN (${resumed_plans}) AS resumed ON resumed.ResumedTrace = span.TraceId AND resumed.ResumedPlan = span.RootPlanId
