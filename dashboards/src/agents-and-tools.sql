-- name: chosen_agents
{{chosen_services}}
AND $__conditionalAll(AgentName IN (${agent:sqlstring}), $agent)

-- name: chosen_tools
{{chosen_agents}}
AND $__conditionalAll(ToolName IN (${tool:sqlstring}), $tool)

-- name: calls_with_retries
SELECT
  ToolName, State, DurationMs,
  Arguments != '' AND lagInFrame(State) OVER (PARTITION BY TraceId, PlanId, ToolName, Arguments ORDER BY Timestamp) = 'failed' AS IsRetry
FROM tool_calls
WHERE $__timeFilter(Timestamp)
  {{chosen_tools}}

-- name: service
SELECT DISTINCT ServiceName FROM agents WHERE $__timeFilter(Timestamp) ORDER BY ServiceName

-- name: agent
SELECT DISTINCT AgentName FROM agents
WHERE $__timeFilter(Timestamp) AND AgentName != ''
  {{chosen_services}}
ORDER BY AgentName

-- name: tool
SELECT DISTINCT ToolName FROM tool_calls
WHERE $__timeFilter(Timestamp) AND ToolName != ''
  {{chosen_agents}}
ORDER BY ToolName

-- name: agent_totals
SELECT
  count() AS Runs,
  countIf(State = 'completed') / nullIf(countIf({{ended}}), 0) AS SuccessRate
FROM agents
WHERE $__timeFilter(Timestamp)
  {{chosen_agents}}

-- name: tool_totals
SELECT
  count() AS Calls,
  countIf(State = 'failed') / nullIf(count(), 0) AS ErrorRate,
  countIf(IsRetry) AS Retries,
  quantile(0.95)(DurationMs) AS P95
FROM (
  {{calls_with_retries}}
)

-- name: tool_latency
SELECT Time, ToolName, Value
FROM (
  SELECT *, dense_rank() OVER (ORDER BY Calls DESC, ToolName) AS Place
  FROM (
    SELECT
      $__timeInterval(Timestamp) AS Time, ToolName, quantile(0.95)(DurationMs / 1000) AS Value,
      sum(count()) OVER (PARTITION BY ToolName) AS Calls
    FROM tool_calls
    WHERE $__timeFilter(Timestamp) AND isNotNull(DurationMs)
      {{chosen_tools}}
    GROUP BY Time, ToolName
  )
)
WHERE Place <= 5
ORDER BY Time

-- name: error_rate
SELECT $__timeInterval(Timestamp) AS Time, Kind, countIf(State = 'failed') / count() AS Value
FROM (
  SELECT Timestamp, 'tools' AS Kind, State
  FROM tool_calls
  WHERE $__timeFilter(Timestamp)
    {{chosen_tools}}
  UNION ALL
  SELECT Timestamp, 'agents' AS Kind, State
  FROM agents
  WHERE $__timeFilter(Timestamp)
    {{chosen_agents}}
)
GROUP BY Time, Kind
ORDER BY Time, Kind

-- name: agents
SELECT
  if(AgentName = '', '(no name)', AgentName) AS Agent,
  count() AS Runs,
  countIf(State = 'completed') / nullIf(countIf({{ended}}), 0) AS SuccessRate,
  countIf(ifNull(Stuck, false)) AS Stuck,
  quantile(0.5)(DurationMs) AS Median,
  quantile(0.95)(DurationMs) AS P95
FROM agents
WHERE $__timeFilter(Timestamp)
  {{chosen_agents}}
GROUP BY Agent
ORDER BY Runs DESC
LIMIT 50

-- name: tools
SELECT
  ToolName,
  count() AS Calls,
  countIf(State = 'failed') AS Errors,
  countIf(State = 'failed') / count() AS ErrorRate,
  countIf(IsRetry) AS Retries,
  countIf(IsRetry AND State = 'completed') AS Helped,
  quantile(0.5)(DurationMs) AS Median,
  quantile(0.95)(DurationMs) AS P95
FROM (
  {{calls_with_retries}}
)
GROUP BY ToolName
ORDER BY Calls DESC
LIMIT 50

-- name: slowest_tools
SELECT ToolName, quantile(0.95)(DurationMs) AS P95
FROM tool_calls
WHERE $__timeFilter(Timestamp) AND isNotNull(DurationMs)
  {{chosen_tools}}
GROUP BY ToolName
HAVING count() >= 10
ORDER BY P95 DESC
LIMIT 10

-- name: errors
SELECT if(ErrorType = '', '(no type)', ErrorType) AS Error, count() AS Calls
FROM tool_calls
WHERE $__timeFilter(Timestamp) AND State = 'failed'
  {{chosen_tools}}
GROUP BY Error
ORDER BY Calls DESC
LIMIT 10

-- name: slowest_calls
SELECT
  toDateTime(Timestamp) AS Time, ToolName, DurationMs, State, substringUTF8(Arguments, 1, 200) AS Arguments, ErrorMessage,
  ServiceName, PlanId
FROM tool_calls
WHERE $__timeFilter(Timestamp) AND isNotNull(DurationMs)
  {{chosen_tools}}
ORDER BY DurationMs DESC
LIMIT 50
