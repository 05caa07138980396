// What a dashboard asks of each view, and the same asked of the span table by hand: without what a view takes care of
// (snapshots, spans that were sent again, superseded imports).
const attribute = (key) => `SpanAttributes['${key}']`

/** `since` is a condition on Timestamp; `spans` reads the span table by hand, on a condition. */
export function questions(since, spans = (where) => `otel_traces WHERE ${where}`) {
  const role = (name) => spans(`${attribute('planspan.span.kind')} = '${name}' AND ${since}`)
  return [
    {
      view: 'spans',
      sql: `SELECT ServiceName, count(), quantile(0.95)(Duration) FROM spans WHERE ${since} GROUP BY ServiceName`,
      raw: `SELECT ServiceName, count(), quantile(0.95)(Duration) FROM ${spans(since)} GROUP BY ServiceName`,
    },
    {
      view: 'plans',
      sql: `SELECT State, count(), avg(DurationMs) FROM plans WHERE IsRoot AND ${since} GROUP BY State`,
      raw: `SELECT ${attribute('planspan.state')} AS State, count(), avg(Duration) FROM ${role('plan')} GROUP BY State`,
    },
    {
      view: 'plan_usage',
      sql: `SELECT PlanId, TotalTokens, CostUsd, BudgetTokens FROM plan_usage WHERE IsRoot AND ${since} ORDER BY TotalTokens DESC LIMIT 20`,
      raw: `SELECT ${attribute('planspan.plan.root_id')} AS Plan, sum(toInt64OrZero(${attribute('gen_ai.usage.input_tokens')})
            + toInt64OrZero(${attribute('gen_ai.usage.output_tokens')})) AS Tokens
          FROM ${role('llm')} GROUP BY Plan ORDER BY Tokens DESC LIMIT 20`,
    },
    {
      view: 'steps',
      sql: `SELECT State, count() FROM steps WHERE ${since} GROUP BY State`,
      raw: `SELECT ${attribute('planspan.state')} AS State, count() FROM ${role('agent')} GROUP BY State`,
    },
    {
      view: 'agents',
      sql: `SELECT AgentName, countIf(State = 'completed'), countIf(State = 'failed'), avg(DurationMs) FROM agents WHERE ${since} GROUP BY AgentName`,
      raw: `SELECT ${attribute('gen_ai.agent.name')} AS Agent, countIf(${attribute('planspan.state')} = 'completed'), countIf(StatusCode = 'Error'), avg(Duration)
          FROM ${role('agent')} GROUP BY Agent`,
    },
    {
      view: 'think_acts',
      sql: `SELECT AgentName, count(), avg(DurationMs) FROM think_acts WHERE ${since} GROUP BY AgentName`,
      raw: `SELECT ${attribute('gen_ai.agent.name')} AS Agent, count(), avg(Duration)
          FROM ${role('think_act')} GROUP BY Agent`,
    },
    {
      view: 'tool_calls',
      sql: `SELECT ToolName, count(), countIf(State = 'failed'), quantile(0.95)(DurationMs) FROM tool_calls WHERE ${since} GROUP BY ToolName`,
      raw: `SELECT ${attribute('gen_ai.tool.name')} AS Tool, count(), countIf(StatusCode = 'Error'), quantile(0.95)(Duration)
          FROM ${role('tool')} GROUP BY Tool`,
    },
    {
      view: 'model_calls',
      sql: `SELECT PricedModel, UsageRole, sum(TotalTokens), sum(CostUsd) FROM model_calls WHERE ${since} GROUP BY PricedModel, UsageRole`,
      raw: `SELECT ${attribute('gen_ai.response.model')} AS Model, ${attribute('planspan.usage.source')} AS Source,
            sum(toInt64OrZero(${attribute('gen_ai.usage.input_tokens')}) + toInt64OrZero(${attribute('gen_ai.usage.output_tokens')}))
          FROM ${role('llm')} GROUP BY Model, Source`,
    },
    {
      view: 'risks',
      sql: `SELECT Score, ToolName, Policies, PlanId FROM risks WHERE NOT IsSafe AND ActionTaken AND ${since} ORDER BY Score DESC LIMIT 10`,
      raw: `SELECT ${attribute('planspan.risk.score')} AS Score, ${attribute('planspan.plan.id')}
          FROM ${spans(`${attribute('planspan.risk.is_safe')} = 'false' AND ${since} AND (TraceId, SpanId) IN (SELECT TraceId, arrayJoin(Links.SpanId) FROM otel_traces WHERE ${attribute('planspan.span.kind')} = 'tool' AND notEmpty(Links.SpanId))`)}
          ORDER BY Score DESC LIMIT 10`,
    },
    {
      view: 'research_calls',
      sql: `SELECT DegradationMode, count(), avg(ResultCount) FROM research_calls WHERE ${since} GROUP BY DegradationMode`,
      raw: `SELECT ${attribute('planspan.search.degradation_mode')} AS Mode, count(), avg(toInt64OrZero(${attribute('planspan.search.result_count')}))
          FROM ${spans(`${attribute('planspan.search.result_count')} != '' AND ${since}`)} GROUP BY Mode`,
    },
    {
      view: 'reviews',
      sql: `SELECT Decision, count() FROM reviews WHERE ${since} GROUP BY Decision`,
      raw: `SELECT JSONExtractString(arrayJoin(JSONExtractArrayRaw(${attribute('planspan.review.log')})), 'action') AS Decision, count()
          FROM ${spans(`${attribute('planspan.review.log')} != '' AND ${since}`)} GROUP BY Decision`,
    },
    {
      view: 'waits',
      sql: `SELECT Reason, countIf(IsOpen), median(DurationMs) FROM waits WHERE ${since} GROUP BY Reason`,
      raw: `SELECT ${attribute('planspan.wait.reason')} AS Reason, count(), median(Duration)
          FROM ${role('wait')} GROUP BY Reason`,
    },
  ]
}
