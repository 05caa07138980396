-- A record's list of reviews; where it was left out, the events, which tell as much. A later row of the span (a snapshot, its
-- end, another segment) repeats the reviews of the earlier ones.
SELECT
  min(span.Timestamp) AS Timestamp,
  span.TraceId AS TraceId,
  any(span.ServiceName) AS ServiceName,
  span.SpanAttributes[${ATTR.planId}] AS PlanId,
  any(span.SpanAttributes[${ATTR.planRootId}]) AS RootPlanId,
  Position,
  Attempt,
  Decision,
  max(if(Listed.feedback != '', Listed.feedback, Told.2[${ATTR.reviewFeedback}])) AS Feedback,
  max(if(Told.2[${ATTR.waitActor}] != '', Told.2[${ATTR.waitActor}], span.SpanAttributes[${ATTR.reviewReviewer}])) AS Reviewer,
  maxOrNullIf(Told.1, Told.2 != map() AND span.SpanAttributes[${ATTR.recordDialect}] = '') AS ReviewedAt
FROM (
  SELECT
    *,
    JSONExtract(SpanAttributes[${ATTR.reviewLog}], 'Array(Tuple(attempt Nullable(Int64), action String, feedback String))') AS List,
    arrayFilter((told, name) -> name = ${EVENTS.review}, arrayZip(Events.Timestamp, Events.Attributes), Events.Name) AS Events_,
    arrayJoin(arrayEnumerate(arrayResize(List, greatest(length(List), length(Events_))))) AS Position,
    List[Position] AS Listed,
    Events_[Position] AS Told,
    coalesce(Listed.attempt, toInt64OrNull(Told.2[${ATTR.reviewAttempt}])) AS Attempt,
    if(Listed.action != '', Listed.action, Told.2[${ATTR.reviewAction}]) AS Decision
  FROM ${database}.otel_traces
  WHERE startsWith(SpanName, ${OPERATIONS.plan}) AND SpanAttributes[${ATTR.spanKind}] = 'plan'
) AS span
GROUP BY TraceId, PlanId, Position, Attempt, Decision
