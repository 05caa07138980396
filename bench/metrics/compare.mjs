// What /metrics tells beside what SQL tells of the same spans, by hand and without planspan's views and tables.
import { isDeepStrictEqual } from 'node:util'

import { table } from '../figures.mjs'
import { indexed, until } from '../settle.mjs'
import { samplesOf, sumOf } from './samples.mjs'

const CALLS = `
  SELECT
    any(if(Duration = 0 AND SpanAttributes['planspan.time.synthetic'] = 'true', NULL, Duration / 1e9)) AS seconds,
    any(toUInt64OrNull(SpanAttributes['gen_ai.usage.input_tokens'])) AS input,
    any(toUInt64OrNull(SpanAttributes['gen_ai.usage.output_tokens'])) AS output
  FROM otel.otel_traces
  WHERE SpanAttributes['gen_ai.operation.name'] = 'chat' AND SpanAttributes['planspan.span.state'] != 'pending'
  GROUP BY TraceId, SpanId`

const QUESTIONS = `
  SELECT
    (SELECT count() FROM otel.otel_traces) AS rows,
    (SELECT uniqExact(TraceId, SpanId) FROM otel.otel_traces) AS spans,
    countIf(isNotNull(seconds)) AS calls, countIf(isNotNull(input)) AS inputs, countIf(isNotNull(output)) AS outputs,
    sum(input) AS inputTokens, sum(output) AS outputTokens, round(sum(seconds), 3) AS total,
    (SELECT count() FROM otel.plans WHERE ParentPlanId = '') AS plans
  FROM (${CALLS})`

const DURATION = 'gen_ai_client_operation_duration_seconds'
const TOKENS = 'gen_ai_client_token_usage'

const bucketsOf = (samples, name) => {
  const buckets = new Map()
  for (const [key, value] of samples) {
    const [, bound] = (key.startsWith(`${name}_bucket{`) && /le="([^"]+)"/.exec(key)) || []
    if (bound !== undefined) buckets.set(bound, (buckets.get(bound) ?? 0) + value)
  }
  return buckets
}

/** Asks ClickHouse as its writer. */
async function ask(clickhouseUrl, query) {
  const { username, password, origin } = new URL(clickhouseUrl)
  const authorization = `Basic ${btoa(`${username}:${password}`)}`
  const answer = await fetch(`${origin}/?default_format=JSONEachRow&output_format_json_quote_64bit_integers=0`, {
    method: 'POST',
    headers: { authorization },
    body: query,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text === '' ? undefined : JSON.parse(text)
}

/** A table of both, after some spans have come again; throws where they differ. */
export async function compare({ url, clickhouseUrl }) {
  await ask(clickhouseUrl, 'INSERT INTO otel.otel_traces SELECT * FROM otel.otel_traces ORDER BY SpanId LIMIT 5000')
  await indexed(url)
  const sql = await ask(clickhouseUrl, QUESTIONS)
  const told = (samples) => ({
    spans: sumOf(samples, 'planspan_spans_stored_total'),
    calls: sumOf(samples, `${DURATION}_count`),
    total: Math.round(sumOf(samples, `${DURATION}_sum`) * 1000) / 1000,
    inputs: sumOf(samples, `${TOKENS}_count`, 'gen_ai_token_type="input"'),
    outputs: sumOf(samples, `${TOKENS}_count`, 'gen_ai_token_type="output"'),
    inputTokens: sumOf(samples, `${TOKENS}_sum`, 'gen_ai_token_type="input"'),
    outputTokens: sumOf(samples, `${TOKENS}_sum`, 'gen_ai_token_type="output"'),
    plans: sumOf(samples, 'planspan_plans'),
  })
  let samples
  await until(`${sql.calls} model calls are counted`, async () => {
    samples = await samplesOf(url)
    return told(samples).calls === sql.calls
  }).catch((error) => {
    throw new Error(`${error.message}: ${JSON.stringify(told(samples))}, and SQL ${JSON.stringify(sql)}`)
  })
  const metrics = told(samples)
  const bounds = [...bucketsOf(samples, DURATION).keys()].filter((bound) => bound !== '+Inf')
  const [inBuckets, bySql] = [
    bounds.map((bound) => bucketsOf(samples, DURATION).get(bound)),
    (
      await ask(
        clickhouseUrl,
        `SELECT [${bounds.map((bound) => `countIf(seconds <= ${bound})`)}] AS counts FROM (${CALLS})`,
      )
    ).counts,
  ]
  const rows = [
    ['spans stored', metrics.spans, sql.spans],
    ['plans', metrics.plans, sql.plans],
    ['model calls', metrics.calls, sql.calls],
    ['seconds of these', metrics.total, sql.total],
    ['of these with input tokens', metrics.inputs, sql.inputs],
    ['input tokens', metrics.inputTokens, sql.inputTokens],
    ['of these with output tokens', metrics.outputs, sql.outputs],
    ['output tokens', metrics.outputTokens, sql.outputTokens],
  ]
  const differing = rows.filter(([, one, other]) => one !== other).map(([what]) => what)
  if (!isDeepStrictEqual(inBuckets, bySql)) differing.push('buckets of durations')
  const shown = table(['', '/metrics', 'SQL'], rows)
  const buckets = `${bounds.length} buckets of durations: ${inBuckets.join(', ')}, by SQL the same`
  if (differing.length > 0)
    throw new Error(`${shown}\n/metrics and SQL differ: ${differing.join(', ')}; ${inBuckets}; ${bySql}`)
  return `${sql.spans} spans, in ${sql.rows} rows:\n\n${shown}\n\n${buckets}`
}
