WITH
    snapshots AS (SELECT * FROM otel.otel_traces WHERE SpanAttributes['planspan.span.state'] = 'pending'),
    finals AS (SELECT * FROM otel.otel_traces WHERE SpanAttributes['planspan.span.state'] = '')
SELECT
    toFloat64(count()) AS snapshots,
    toFloat64(countIf(NOT (
        s.TraceId = f.TraceId
        AND s.ParentSpanId = f.SpanId
        AND s.SpanAttributes['planspan.pending.parent_span_id'] = f.ParentSpanId
        AND s.SpanAttributes['planspan.plan.id'] = f.SpanAttributes['planspan.plan.id']
        AND s.SpanAttributes['planspan.plan.root_id'] = f.SpanAttributes['planspan.plan.root_id']
        AND s.SpanAttributes['planspan.plan.title'] = f.SpanAttributes['planspan.plan.title']
        AND s.SpanAttributes['gen_ai.tool.call.arguments'] = f.SpanAttributes['gen_ai.tool.call.arguments']
        AND s.SpanName = f.SpanName
        AND s.Timestamp = f.Timestamp
    ))) AS wrong
FROM snapshots AS s
LEFT JOIN finals AS f ON f.SpanId = s.SpanAttributes['planspan.pending.span_id']
FORMAT JSONEachRow
