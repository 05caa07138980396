-- Returns the ids of a span and its parent if no other row affects how the span is shown, else an empty list. The span
-- has to be ended, with a final state or without a state; its parent has to be stored; and its trace must contain
-- neither spans of other instrumentations nor a resumed plan. The second element is the parent of a guardrail: the
-- other calls of this parent show whether the judged action was taken.
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
