-- The name of a model call's span is its operation and its model; another instrumentation's tells the model in its attributes.
SELECT DISTINCT model
FROM (
  SELECT substring(SpanName, length(${OPERATIONS.llm}) + 2) AS model
  FROM ${database}.otel_traces
  WHERE startsWith(SpanName, concat(${OPERATIONS.llm}, ' '))
  UNION ALL
  SELECT if(Asked != '', Asked, Answered)
  FROM (
    SELECT ${foreign_model} AS Asked, ${foreign_response_model} AS Answered
    FROM ${database}.foreign_spans
    WHERE Kind = 'llm'
  )
)
WHERE model != '' AND model NOT IN (SELECT Model FROM ${database}.model_prices)
ORDER BY model
