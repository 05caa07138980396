-- What came of the actions that guardrails found unsafe, where that is known: by the view's own rules, of superseded imports too.
SELECT TraceId, SpanId, ActionTaken AS taken, ToolName AS tool
FROM (${risks})
WHERE TraceId IN {traceIds:Array(String)} AND NOT ifNull(IsSafe, empty(Policies)) AND isNotNull(ActionTaken)
