-- What plan_states knows of a plan: when its latest run began, and of its steps the list of its last planning, which of them
-- agents have begun and completed.
SELECT KnownTrace, KnownPlan, Began, Begun, Done, Task, ${listed_steps} AS PlannedList
FROM (
  SELECT
    TraceId AS KnownTrace,
    PlanId AS KnownPlan,
    fromUnixTimestamp64Nano(toInt64(toUInt64(bitShiftRight(max(Latest), 32)))) AS Began,
    groupUniqArrayArray(BegunSteps) AS Begun,
    groupUniqArrayArray(DoneSteps) AS Done,
    argMaxMerge(LastTask) AS Task,
    JSONExtract(argMaxMerge(PlannedSteps), 'Array(String)') AS Steps,
    argMaxMerge(PlannedStepsJson) AS StepsJson
  FROM ${database}.plan_states
  GROUP BY KnownTrace, KnownPlan
)
