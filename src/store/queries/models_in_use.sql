-- The models that calls name: in their span names, which consist of an operation and a model, and in the attributes of
-- calls since a time. The indexer's rows contain the models of other instrumentations.
SELECT DISTINCT model FROM (
  SELECT substring(SpanName, length(${OPERATIONS.llm}) + 2) AS model
  FROM ${database}.service_operations
  WHERE startsWith(SpanName, concat(${OPERATIONS.llm}, ' '))
  UNION ALL
  SELECT arrayJoin([toString(Model), toString(ResponseModel)]) AS model
  FROM ${database}.otel_traces
  WHERE Timestamp >= fromUnixTimestamp({since:UInt32}) AND (Model != '' OR ResponseModel != '')
  UNION ALL
  SELECT arrayJoin([toString(Model), toString(ResponseModel)]) AS model
  FROM ${database}.span_rows
  WHERE Role = 'llm' AND Timestamp >= fromUnixTimestamp({since:UInt32})
)
WHERE model != ''
