-- Traces of other instrumentations, each as the one plan that it is. One in which planspan has a plan of its own is that plan. A
-- trace of calls alone goes on until its root has come, whatever that is.
SELECT
  Trace,
  Began,
  Until,
  if(Stands = 'running' AND Rootless AND Trace GLOBAL IN (
    SELECT TraceId
    FROM ${database}.otel_traces
    WHERE ParentSpanId = '' AND (toStartOfHour(Timestamp, 'UTC'), TraceId) GLOBAL IN (
      SELECT arrayJoin(arrayPushBack(Hours, toStartOfHour(Start, 'UTC'))), TraceId
      FROM ${database}.otel_traces_trace_id_ts
      WHERE TraceId GLOBAL IN (
        SELECT TraceId FROM ${database}.foreign_plans WHERE ${foreign_among} GROUP BY TraceId HAVING bitAnd(groupBitOr(Holds), 16) = 0
      )
    )
  ), 'completed', Stands) AS Stood,
  Held,
  Named.1 AS Spoken,
  Named.2 AS Service,
  Called,
  Asked,
  Talk
FROM (
  SELECT
    TraceId AS Trace,
    min(Start) AS Began,
    max(End) AS Until,
    groupBitOr(Holds) AS Held,
    bitAnd(Held, 16) = 0 AS Rootless,
    argMaxMerge(State) AS Stands,
    argMaxMerge(Source) AS Named,
    argMaxMerge(Title) AS Called,
    argMaxMerge(Request) AS Asked,
    argMaxMerge(Conversation) AS Talk
  FROM ${database}.foreign_plans
  WHERE ${foreign_among}
  GROUP BY Trace
  HAVING ${foreign_holds}
)
WHERE Trace GLOBAL NOT IN (
  SELECT TraceId FROM ${database}.plan_states WHERE TraceId GLOBAL IN (SELECT TraceId FROM ${database}.foreign_plans WHERE ${foreign_among})
)
