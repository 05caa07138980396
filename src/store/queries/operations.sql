SELECT DISTINCT SpanName AS name, SpanKind AS kind
FROM ${database}.service_operations
WHERE ServiceName = {service:String} AND ({kind:String} = '' OR SpanKind = {kind:String})
ORDER BY name, kind
