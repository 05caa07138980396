-- The ids of a span and of its parent if no other rows change what is shown of it, else none: it has ended and its state is over or
-- missing; its parent is stored; and its trace has no spans of other instrumentations and no resumed plan. With them the parent of
-- a guardrail, whose other calls show whether the action was taken.
(
  SELECT if(
    countIf(${is_settled}) > 0
      AND (anyIf(toString(Role), ${is_settled}) AS Its) != 'wait'
      AND ((anyIf(ParentSpanId, ${is_settled}) AS Above) = '' OR has(groupUniqArray(Span), Above))
      AND (Its NOT IN ('guardrail', 'agent') OR countIf(RecordDialect != '') = 0)
      AND uniqExactIf(Span, Role = 'plan') = uniqExactIf((RootPlanId, PlanId), Role = 'plan')
      AND countIf(Role = '') = 0,
    ([{spanId:String}, Above], if(Its = 'guardrail', Above, '')),
    ([], '')
  )
  FROM ${database}.otel_traces
  WHERE ${in_places}
)
