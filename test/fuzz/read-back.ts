import { DIALECT_NAMES } from '../../src/mapping/index.js'
import type { ImportReport, PlanJson } from '../../src/wire/index.js'
import { recordSegment } from '../../src/wire/record-path/index.js'
import { execute } from '../support/clickhouse.js'
import type { Answer, Clients } from './answers.js'
import type { Input } from './inputs.js'

const get = (clients: Clients, path: string): Promise<Answer> =>
  clients.http({ route: 'read', method: 'GET', path, headers: {}, body: undefined })

const MOST_TRACES = 2
const MOST_PLANS = 2
/** The state of a plan whose own span was never sent. */
const NOT_YET = /the span that its record begins with is not\. Ask again/

/** Describes which parts of an acknowledged input are missing or cannot be read. */
export async function unreadable(
  clients: Clients,
  clickhouseUrl: string,
  input: Input,
  answer: Answer,
): Promise<string[]> {
  const wrong: string[] = []
  if (input.claim && answer.rejectedSpans !== undefined) {
    // SQL sees it a moment after it is acknowledged, unless a read of planspan's runs first.
    await get(clients, '/api/records?limit=1')
    const found = await storedSpans(clickhouseUrl, input.traceIds)
    const missing = [...input.claim.spans].filter((span) => !found.has(span))
    if (missing.length > answer.rejectedSpans) {
      wrong.push(`${missing.length} spans are missing, of which ${answer.rejectedSpans} were refused: ${missing[0]}`)
    }
  }
  const isTaken = answer.rejectedSpans !== undefined
  for (const traceId of isTaken ? input.traceIds.slice(0, MOST_TRACES) : []) {
    wrong.push(...(await unreadableTrace(clients, traceId)))
  }
  if (input.road === 'http' && input.route === 'import' && [200, 207].includes(answer.code)) {
    const { records, refusedCount } = JSON.parse(answer.text) as ImportReport
    const isWhole = records.length + refusedCount === 1 && !input.path.includes('redact')
    for (const { planId, traceId } of records.slice(0, MOST_PLANS)) {
      const record = await recordOf(clients, { planId, trace: traceId })
      if (record.code !== 200) wrong.push(`imported, but its record is ${shown(record)}`)
      if (isWhole && record.code === 200 && !isSame(record, input)) {
        wrong.push(`imported, but its record is another: ${record.text.slice(0, 200)}`)
      }
    }
  }
  return wrong
}

/** A record represents the file that it came from, without its surroundings. */
const isSame = ({ text }: Answer, { body }: Input): boolean => text.trim() === body?.toString().trim()

async function unreadableTrace(clients: Clients, traceId: string): Promise<string[]> {
  const wrong: string[] = []
  const expect = async (what: string, asked: Promise<Answer>, codes: readonly number[]): Promise<Answer> => {
    const answer = await asked
    if (!codes.includes(answer.code)) wrong.push(`${what} of ${traceId} is ${shown(answer)}`)
    return answer
  }
  await expect('the reading', get(clients, `/api/traces/${traceId}/reading`), [200, 404])
  await expect('the record', get(clients, `/api/records/${traceId}`), [200, 404])
  await expect('the spans', get(clients, `/api/records/${traceId}/spans`), [200, 404])
  const page = await expect('the list', get(clients, `/api/records?all=true&trace=${traceId}`), [200])
  if (page.code !== 200) return wrong
  const { records } = JSON.parse(page.text) as { records: PlanJson[] }
  for (const { planId } of records.slice(0, MOST_PLANS)) {
    for (const format of [undefined, formatFor(traceId)]) {
      const record = await recordOf(clients, { planId, trace: traceId, ...(format && { format }) })
      if (record.code === 200 || (record.code === 404 && NOT_YET.test(record.text))) continue
      const which = `${JSON.stringify(planId.slice(0, 40))} of ${traceId} as ${format ?? 'it is'}`
      wrong.push(`the record ${which} is ${shown(record)}`)
    }
  }
  return wrong
}

/** Another dialect for each trace. */
const formatFor = (traceId: string): string | undefined =>
  DIALECT_NAMES[Number.parseInt(traceId.slice(-2), 16) % DIALECT_NAMES.length]

const recordOf = (
  clients: Clients,
  { planId, ...query }: { planId: string; trace: string; format?: string },
): Promise<Answer> =>
  clients.http({
    route: 'read',
    method: 'GET',
    path: `/api/records/${recordSegment(planId)}?${new URLSearchParams(query).toString()}`,
    headers: {},
    body: undefined,
  })

async function storedSpans(url: string, traceIds: readonly string[]): Promise<Set<string>> {
  if (traceIds.length === 0) return new Set()
  const ids = traceIds.map((id) => `'${id}'`).join(', ')
  const rows = await execute(url, `SELECT DISTINCT TraceId, SpanId FROM otel.otel_traces WHERE TraceId IN (${ids})`)
  return new Set(rows.split('\n').map((row) => row.replace('\t', ' ')))
}

const shown = ({ code, text }: Answer): string => `${code}: ${text.slice(0, 200)}`
