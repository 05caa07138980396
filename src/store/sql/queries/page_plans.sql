-- What plan_states tells of the plans of a page, each by itself: what a later segment does not repeat is said by an earlier one. Of
-- their steps the list of the last planning, and which of them agents have begun and completed.
SELECT
  TraceId AS traceId,
  PlanId AS planId,
  max(RootPlanId) AS rootPlanId,
  max(Dialect) AS dialect,
  max(Source) AS source,
  max(RecordKey) AS recordKey,
  max(Digest) AS digest,
  toString(toUnixTimestamp64Nano(min(Start))) AS start,
  toString(toUnixTimestamp64Nano(max(End))) AS end,
  max(PlanSpan) AS planSpan,
  toString(max(Latest)) AS latest,
  argMaxMerge(State) AS told,
  argMaxMerge(HeartbeatMs) AS heartbeatMs,
  max(HasAgent) AS hasAgent,
  arrayMap(wait -> (wait.1, toString(toUnixTimestamp64Nano(wait.2))), groupUniqArrayArray(OpenWaits)) AS openWaits,
  groupUniqArrayArray(ClosedWaits) AS closedWaits,
  argMaxMerge(Facts) AS facts,
  argMaxMerge(Title) AS title,
  argMaxMerge(Request) AS request,
  groupUniqArrayArray(BegunSteps) AS begun,
  groupUniqArrayArray(DoneSteps) AS done,
  argMaxMerge(LastTask) AS task,
  argMaxMerge(PlannedSteps) AS steps,
  argMaxMerge(PlannedStepsJson) AS stepsJson
FROM ${database}.plan_states
WHERE TraceId IN {traceIds:Array(String)} AND PlanId IN {planIds:Array(String)}
GROUP BY TraceId, PlanId
