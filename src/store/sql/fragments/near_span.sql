-- The ids of a span and of the one above it where no other rows tell anything of it, else none: it has ended and says that it is
-- over, or says nothing; the one above is stored; and its trace has nothing that other instrumentations tell, nor a resumed
-- plan. With them the one above a guardrail, whose other calls tell whether the action was taken.
(
  SELECT if(
    countIf(${is_settled}) > 0
      AND (anyIf(toString(Role), ${is_settled}) AS Its) != 'wait'
      AND ((anyIf(ParentSpanId, ${is_settled}) AS Above) = '' OR has(groupUniqArray(Span), Above))
      AND (Its NOT IN ('guardrail', 'agent') OR countIf(Role = '' OR RecordDialect != '') = 0)
      AND uniqExactIf(Span, Role = 'plan') = uniqExactIf((RootPlanId, PlanId), Role = 'plan')
      AND countIf(${looks_foreign}) = 0,
    ([{spanId:String}, Above], if(Its = 'guardrail', Above, '')),
    ([], '')
  )
  FROM ${database}.otel_traces
  WHERE ${spans_of_traces}
)
