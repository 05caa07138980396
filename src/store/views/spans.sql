SELECT *
FROM ${database}.otel_traces AS span ${final}
WHERE span.SpanState != ${PENDING}
${once}
