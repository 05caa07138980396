-- Where a plan stands, of the columns of plan_states: its own, and with the last that was heard and the waits of its sub-plans,
-- too. The same as the mapping makes of the plan's spans.
multiIf(
  PlanSpan = 0, 'running',
  NOT Pending, Told,
  Told = 'waiting' OR arrayExists(wait -> wait.2 >= LatestStart AND NOT has(ClosedWaits, wait.1), OpenWaits), 'waiting',
  IsLive AND HeartbeatMs > 0 AND {now:Int64} - toUnixTimestamp64Nano(LastSeen) > HeartbeatMs * 1000000, 'interrupted',
  Told != '', Told,
  HasAgent, 'running',
  'planning'
)
