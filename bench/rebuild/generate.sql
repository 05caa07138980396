-- Plans of 50 spans each, spread over a week: a plan, four agents, fifteen cycles of a step, a model call and a tool call.
-- Contents are of letters that compress about as well as prose.
INSERT INTO ${database}.otel_traces (
  Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, ResourceAttributes, ScopeName,
  SpanAttributes, Duration, StatusCode
)
WITH
  intDiv(number, 50) AS plan,
  number % 50 AS position,
  multiIf(position = 0, 'plan', position < 5, 'agent', (position - 5) % 3 = 0, 'think_act', (position - 5) % 3 = 1, 'llm', 'tool') AS role,
  concat('plan-', toString(plan)) AS planId,
  concat('agent-', toString(position % 4)) AS agent,
  i -> lower(hex(cityHash64(plan, i))) AS spanIdOf,
  salt -> arrayStringConcat(arrayMap(i -> ['plan', 'step', 'search', 'the', 'weather', 'in', 'Rome', 'result', 'and', 'found', 'no', 'hotel', 'near', 'station', 'price', 'day'][1 + cityHash64(number, i, salt) % 16], range(40)), ' ') AS prose
SELECT
  toDateTime64('2026-03-02 00:00:00', 9) + toIntervalMillisecond(plan * ${planIntervalMs} + position * 1000),
  lower(hex(MD5(planId))),
  spanIdOf(position),
  multiIf(role = 'plan', '', role = 'agent', spanIdOf(0), role = 'think_act', spanIdOf(1 + intDiv(position - 5, 12)), spanIdOf(position - (position - 5) % 3)),
  multiIf(role = 'plan', 'invoke_workflow trip', role = 'agent', concat('invoke_agent ', agent), role = 'think_act', concat('agent_step ', agent), role = 'llm', 'chat gpt-x', concat('execute_tool ', ['search', 'browse', 'book', 'write'][1 + position % 4])),
  if(role = 'llm', 'Client', 'Internal'),
  concat('service-', toString(plan % 5)),
  map('service.name', concat('service-', toString(plan % 5)), 'host.name', 'host-1', 'telemetry.sdk.language', 'nodejs'),
  'planspan',
  mapFilter((key, value) -> value != '', map(
    ${ATTR.planId}, planId,
    ${ATTR.planRootId}, planId,
    ${ATTR.spanKind}, role,
    ${ATTR.schemaVersion}, '1',
    ${ATTR.seq}, toString(position),
    ${ATTR.state}, if(role IN ('plan', 'agent'), 'completed', ''),
    ${ATTR.planTitle}, if(role = 'plan', concat('Trip ', toString(plan)), ''),
    ${ATTR.stepId}, if(role = 'agent', concat('step-', toString(plan), '-', toString(position)), ''),
    ${ATTR.toolCallId}, if(role = 'tool', concat('call-', toString(number)), ''),
    ${ATTR.inputMessages}, if(role IN ('plan', 'agent', 'llm'), concat('[{"role":"user","parts":[{"type":"text","content":"', prose(1), '"}]}]'), ''),
    ${ATTR.outputMessages}, if(role IN ('agent', 'llm'), concat('[{"role":"assistant","parts":[{"type":"text","content":"', prose(2), '"}]}]'), ''),
    ${ATTR.toolCallArguments}, if(role = 'tool', concat('{"query":"', prose(3), '"}'), ''),
    ${ATTR.toolCallResult}, if(role = 'tool', prose(4), ''),
    ${ATTR.usageInputTokens}, if(role = 'llm', toString(500 + number % 1000), '')
  )),
  if(role = 'plan', 50000000000, 900000000),
  'Unset'
FROM numbers(${first}, ${count})
