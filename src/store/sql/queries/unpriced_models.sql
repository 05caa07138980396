-- The name of a model call's span is its operation and its model.
SELECT DISTINCT substring(SpanName, length(${OPERATIONS.llm}) + 2) AS model
FROM ${database}.otel_traces
WHERE startsWith(SpanName, concat(${OPERATIONS.llm}, ' ')) AND model NOT IN (SELECT Model FROM ${database}.model_prices)
ORDER BY model
