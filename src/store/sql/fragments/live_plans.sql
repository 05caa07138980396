-- Of live traces the root plans, and sub-plans whose root is not there, each with when its tree was heard of and what that waits for.
-- A trace may have any number of plans: none of them is given an array of all.
SELECT
  TraceId,
  '' AS Dialect,
  '' AS Source,
  '' AS RecordKey,
  '' AS Digest,
  Version AS MappingVersion,
  Masked AS Redacted,
  plan,
  if(notEmpty(Roots), TreeEnd, plan.End) AS LastSeen,
  if(notEmpty(Roots), Opened, plan.OpenWaits) AS OpenWaits,
  if(notEmpty(Roots), Closed, plan.ClosedWaits) AS ClosedWaits
FROM (
  SELECT
    TraceId,
    if(plan.RootPlanId = '', plan.PlanId, plan.RootPlanId) AS Root,
    max(plan.MappingVersion) AS Version,
    max(plan.Redacted) AS Masked,
    max(plan.End) AS TreeEnd,
    groupArrayArray(plan.OpenWaits) AS Opened,
    groupArrayArray(plan.ClosedWaits) AS Closed,
    groupArrayIf(plan, plan.PlanId = Root) AS Roots,
    groupArrayIf(plan, plan.PlanId != Root) AS Others
  FROM (
    ${merged_plans}
  )
  GROUP BY TraceId, Root
)
ARRAY JOIN if(notEmpty(Roots), Roots, Others) AS plan
