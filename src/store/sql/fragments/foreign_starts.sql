SELECT TraceId, TraceId AS PlanId, min(Start) AS Began, false AS IsImport, true AS IsListed
  FROM ${database}.foreign_plans
  WHERE ${traces_between}
  GROUP BY TraceId
