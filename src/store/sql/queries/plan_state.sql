-- Where a plan stands, of `plan` and `tree` (the plan and its sub-plans) out of queries/traces.sql. The same as the mapping
-- makes of the plan's spans.
multiIf(
  plan.PlanSpan = 0, 'running',
  NOT plan.Latest.Pending, plan.Latest.State,
  plan.Latest.State = 'waiting' OR arrayExists(
    wait -> wait.2 >= plan.Latest.Start AND NOT has(arrayFlatten(tree.ClosedWaits), wait.1),
    arrayFlatten(tree.OpenWaits)
  ), 'waiting',
  Dialect = '' AND plan.Latest.HeartbeatMs > 0
    AND {now:Int64} - toUnixTimestamp64Nano(arrayMax(tree.End)) > plan.Latest.HeartbeatMs * 1000000, 'interrupted',
  plan.Latest.State != '', plan.Latest.State,
  plan.HasAgent, 'running',
  'planning'
)
