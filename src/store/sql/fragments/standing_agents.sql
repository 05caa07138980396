-- An agent that a later segment goes on with is that segment's row. A join, since ClickHouse would push a filter on SpanId down
-- into the query that it sends to a cluster's shards, which fails there.
SELECT agent.*
FROM (${open_agents}) AS agent
LEFT ANTI JOIN (${continued_agents}) AS continued ON continued.TraceId = agent.TraceId AND continued.SpanId = agent.SpanId
UNION ALL
${foreign_agents}
