-- A record's list of reviews; where it was left out, the events, which tell as much. A later segment repeats the reviews of the
-- earlier ones.
SELECT Timestamp, TraceId, ServiceName, PlanId, RootPlanId, Position, Attempt, Decision, Feedback, Reviewer, ReviewedAt
FROM (
  ${told_reviews}
  FROM ${plan_rows}
  WHERE span.TraceId GLOBAL NOT IN (${resumed_traces})
)
UNION ALL
SELECT
  min(Timestamp), TraceId, any(ServiceName), PlanId, any(RootPlanId), Position, Attempt, Decision,
  max(Feedback), max(Reviewer), max(ReviewedAt)
FROM (
  ${told_reviews}
  FROM ${all_plan_rows} AND span.TraceId GLOBAL IN (${resumed_traces})
)
GROUP BY TraceId, PlanId, Position, Attempt, Decision
