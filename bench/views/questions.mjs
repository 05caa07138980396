// What a dashboard asks of each view, and the same asked of the span table by hand: without what a view takes care of
// (snapshots, spans that were sent again, superseded imports).
const attribute = (key) => `SpanAttributes['${key}']`

/** `since` is a condition on Timestamp. */
export const questions = (since) => [
  {
    view: 'spans',
    sql: `SELECT ServiceName, count(), quantile(0.95)(Duration) FROM spans WHERE ${since} GROUP BY ServiceName`,
    raw: `SELECT ServiceName, count(), quantile(0.95)(Duration) FROM otel_traces WHERE ${since} GROUP BY ServiceName`,
  },
  {
    view: 'plans',
    sql: `SELECT State, count(), avg(DurationMs) FROM plans WHERE IsRoot AND ${since} GROUP BY State`,
    raw: `SELECT ${attribute('planspan.state')} AS State, count(), avg(Duration) FROM otel_traces
          WHERE ${attribute('planspan.span.kind')} = 'plan' AND ${since} GROUP BY State`,
  },
  {
    view: 'plan_usage',
    sql: `SELECT PlanId, TotalTokens, CostUsd, BudgetTokens FROM plan_usage WHERE IsRoot AND ${since} ORDER BY TotalTokens DESC LIMIT 20`,
    raw: `SELECT ${attribute('planspan.plan.root_id')} AS Plan, sum(toInt64OrZero(${attribute('gen_ai.usage.input_tokens')})
            + toInt64OrZero(${attribute('gen_ai.usage.output_tokens')})) AS Tokens
          FROM otel_traces WHERE ${attribute('planspan.span.kind')} = 'llm' AND ${since} GROUP BY Plan ORDER BY Tokens DESC LIMIT 20`,
  },
  {
    view: 'steps',
    sql: `SELECT State, count() FROM steps WHERE ${since} GROUP BY State`,
    raw: `SELECT ${attribute('planspan.state')} AS State, count() FROM otel_traces
          WHERE ${attribute('planspan.span.kind')} = 'agent' AND ${since} GROUP BY State`,
  },
  {
    view: 'agents',
    sql: `SELECT AgentName, countIf(State = 'completed'), countIf(State = 'failed'), avg(DurationMs) FROM agents WHERE ${since} GROUP BY AgentName`,
    raw: `SELECT ${attribute('gen_ai.agent.name')} AS Agent, countIf(${attribute('planspan.state')} = 'completed'), countIf(StatusCode = 'Error'), avg(Duration)
          FROM otel_traces WHERE ${attribute('planspan.span.kind')} = 'agent' AND ${since} GROUP BY Agent`,
  },
  {
    view: 'think_acts',
    sql: `SELECT AgentName, count(), avg(DurationMs) FROM think_acts WHERE ${since} GROUP BY AgentName`,
    raw: `SELECT ${attribute('gen_ai.agent.name')} AS Agent, count(), avg(Duration)
          FROM otel_traces WHERE ${attribute('planspan.span.kind')} = 'think_act' AND ${since} GROUP BY Agent`,
  },
  {
    view: 'tool_calls',
    sql: `SELECT ToolName, count(), countIf(State = 'failed'), quantile(0.95)(DurationMs) FROM tool_calls WHERE ${since} GROUP BY ToolName`,
    raw: `SELECT ${attribute('gen_ai.tool.name')} AS Tool, count(), countIf(StatusCode = 'Error'), quantile(0.95)(Duration)
          FROM otel_traces WHERE ${attribute('planspan.span.kind')} = 'tool' AND ${since} GROUP BY Tool`,
  },
  {
    view: 'model_calls',
    sql: `SELECT PricedModel, UsageRole, sum(TotalTokens), sum(CostUsd) FROM model_calls WHERE ${since} GROUP BY PricedModel, UsageRole`,
    raw: `SELECT ${attribute('gen_ai.response.model')} AS Model, ${attribute('planspan.usage.source')} AS Source,
            sum(toInt64OrZero(${attribute('gen_ai.usage.input_tokens')}) + toInt64OrZero(${attribute('gen_ai.usage.output_tokens')}))
          FROM otel_traces WHERE ${attribute('planspan.span.kind')} = 'llm' AND ${since} GROUP BY Model, Source`,
  },
  {
    view: 'risks',
    sql: `SELECT Score, ToolName, Policies, PlanId FROM risks WHERE NOT IsSafe AND ActionTaken AND ${since} ORDER BY Score DESC LIMIT 10`,
    raw: `SELECT ${attribute('planspan.risk.score')} AS Score, ${attribute('planspan.plan.id')} FROM otel_traces AS risk
          WHERE ${attribute('planspan.risk.is_safe')} = 'false' AND ${since}
            AND (TraceId, SpanId) IN (SELECT TraceId, arrayJoin(Links.SpanId) FROM otel_traces WHERE ${attribute('planspan.span.kind')} = 'tool' AND notEmpty(Links.SpanId))
          ORDER BY Score DESC LIMIT 10`,
  },
  {
    view: 'research_calls',
    sql: `SELECT DegradationMode, count(), avg(ResultCount) FROM research_calls WHERE ${since} GROUP BY DegradationMode`,
    raw: `SELECT ${attribute('planspan.research.degradation_mode')} AS Mode, count(), avg(toInt64OrZero(${attribute('planspan.research.result_count')}))
          FROM otel_traces WHERE ${attribute('planspan.research.result_count')} != '' AND ${since} GROUP BY Mode`,
  },
  {
    view: 'reviews',
    sql: `SELECT Decision, count() FROM reviews WHERE ${since} GROUP BY Decision`,
    raw: `SELECT JSONExtractString(arrayJoin(JSONExtractArrayRaw(${attribute('planspan.review.log')})), 'action') AS Decision, count()
          FROM otel_traces WHERE ${attribute('planspan.review.log')} != '' AND ${since} GROUP BY Decision`,
  },
  {
    view: 'waits',
    sql: `SELECT Reason, countIf(IsOpen), median(DurationMs) FROM waits WHERE ${since} GROUP BY Reason`,
    raw: `SELECT ${attribute('planspan.wait.reason')} AS Reason, count(), median(Duration)
          FROM otel_traces WHERE ${attribute('planspan.span.kind')} = 'wait' AND ${since} GROUP BY Reason`,
  },
]
