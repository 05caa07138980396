TraceId IN {traceIds:Array(String)} AND Timestamp >= window.1 AND Timestamp <= window.2
    AND (NOT window.3 OR (toStartOfMinute(Timestamp), TraceId) GLOBAL IN (
      SELECT arrayJoin(Minutes), TraceId FROM ${database}.otel_traces_trace_id_ts WHERE TraceId IN {traceIds:Array(String)}
    ))
