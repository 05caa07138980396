-- The imports of some records, from the indexer's rows of their plans.
SELECT
  TraceId AS traceId,
  Dialect AS dialect,
  Source AS source,
  RecordKey AS recordKey,
  toString(toUnixTimestamp64Nano(LastSeen)) AS end,
  State AS state,
  Ended AS ended,
  RecordSpans AS recordSpans,
  MappingVersion AS mappingVersion,
  Redacted AS redacted,
  Digest AS digest,
  Superseded AS isSuperseded
FROM ${database}.plan_rows FINAL
WHERE RecordKey IN {keys:Array(String)} AND Dialect != ''
