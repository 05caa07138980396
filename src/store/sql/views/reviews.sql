-- A record's list of reviews; where it was left out, the events, which tell as much. A later segment repeats the reviews of the
-- earlier ones, and tells its own of the plan that began with the first.
SELECT
  Timestamp, TraceId, any(ServiceName) AS ServiceName, PlanId, any(RootPlanId) AS RootPlanId, Position, Attempt, Decision,
  max(Feedback) AS Feedback, max(Reviewer) AS Reviewer, max(ReviewedAt) AS ReviewedAt
FROM (
  ${told_reviews}
  FROM ${first_plan_rows}
  UNION ALL
  SELECT told.* REPLACE (plan.Began AS Timestamp)
  FROM (
    ${told_reviews}
    FROM ${later_plan_rows}
    UNION ALL
    ${told_reviews}
    FROM ${scattered_plan_rows}
  ) AS told
  INNER JOIN (${resumed_starts}) AS plan ON plan.ResumedTrace = told.TraceId AND plan.ResumedPlan = told.PlanId
)
GROUP BY Timestamp, TraceId, PlanId, Position, Attempt, Decision
