-- What plan_states tells of the plans of a page: what a later segment does not repeat is said by an earlier one. Of their steps the
-- list of the last planning, and which of them agents have begun and completed.
SELECT
  TraceId AS traceId,
  PlanId AS planId,
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
