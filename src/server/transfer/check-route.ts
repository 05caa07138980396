import { type Context, Hono } from 'hono'

import { readRules } from '../../check/index.js'
import { PlanspanError } from '../../error.js'
import { unixNanoNow } from '../../store/index.js'
import { CHECK_BODY, CHECK_QUERY, NDJSON } from '../../wire/index.js'
import { refuseForeignOrigins } from '../guard/index.js'
import { addRoute, checkParameters, readQuery, readSmallJson, streamedAnswer } from '../http/index.js'
import { checkLine } from '../json/index.js'
import { toPlanFilters } from '../lists/index.js'
import type { Candidate } from '../rebuild/index.js'
import { findTrace, goneOf, type Gone, type RecordChoice, type Records } from '../records/index.js'
import { type Batch, linesOfBatches, planBatches } from './plan-batches.js'

/** The time that the check of a batch may take, because a pattern can take forever. Milliseconds. */
const BATCH_MS = 30_000

/** `POST /api/check`: checks the plans of a list, or the named plans, by rules. */
export function checkRoute({ reader, rebuilder }: Records): Hono {
  const app = new Hono()

  addRoute(app, 'POST /api/check', refuseForeignOrigins, async (c) => {
    // Pages of other origins can send only other content types without a preflight request.
    if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
      throw new PlanspanError('usage', 'Send {"rules": […]} as application/json.')
    }
    const filters = readFilters(c)
    const { ids, rules } = readBody(await readSmallJson(c, '{"rules": […]}'))
    const now = unixNanoNow()
    const prices = await reader.modelPrices()
    const choice = ids && choiceOf(filters)
    const batches = choice
      ? namedPlans(await Promise.all((ids ?? []).map((id) => findTrace(reader, id, choice))))
      : planBatches(reader, { ...toPlanFilters(filters, now), now }, (plan): CheckedId => ({
          id: plan.planId,
          trace: plan,
        }))
    const gone = goneOf(c)
    const lines = linesOfBatches(batches, {
      of: async (plans) => {
        const late = AbortSignal.timeout(BATCH_MS)
        const until: Gone = () => AbortSignal.any([gone(), late])
        const task = { plans: plans.map(({ id, trace }) => ({ id, trace: asTrace(trace) })), rules, prices, now }
        return (await rebuilder.run('check', task, until).catch(explainLate(late))).body
      },
      problem: ({ id, trace }, error) => checkLine(error, { planId: id, traceId: trace.traceId }),
    })
    return streamedAnswer(c, lines, NDJSON)
  })

  return app
}

type CheckedId = Pick<Candidate, 'id' | 'trace'>

/** Returns only what a worker needs of a listed plan. */
const asTrace = ({ traceId, live, dialect, source, recordKey }: CheckedId['trace']): CheckedId['trace'] => ({
  traceId,
  live,
  dialect,
  source,
  recordKey,
})

/** Named plans are few, and may be large: each is a batch. */
async function* namedPlans(plans: readonly CheckedId[]): AsyncGenerator<Batch<CheckedId>, void, undefined> {
  for (const plan of plans) yield [plan]
}

function readBody(body: unknown) {
  const { ids, ...file } = (body ?? {}) as Record<string, unknown>
  const checked = readRules(file)
  if ('problems' in checked) {
    throw new PlanspanError('usage', `Bad rules: ${checked.problems.map(({ text }) => text).join('; ')}.`)
  }
  return { ...checked, ...checkParameters(ids === undefined ? {} : { ids }, CHECK_BODY.pick({ ids: true })) }
}

/** Returns the filters that select one of the records with the same id. */
function choiceOf({ trace, source, ...others }: ReturnType<typeof readFilters>): RecordChoice {
  const [other] = Object.keys(others)
  if (other !== undefined) throw new PlanspanError('usage', `Plans are named by their ids: omit ${other}.`)
  return { kind: 'plan', ...(trace !== undefined && { trace }), ...(source !== undefined && { source }) }
}

const readFilters = (c: Context) => readQuery(c, CHECK_QUERY)

const explainLate =
  (late: AbortSignal) =>
  (error: unknown): never => {
    if (!late.aborted) throw error
    throw new PlanspanError(
      'usage',
      `The rules took more than ${String(BATCH_MS / 1000)} seconds. A pattern may need too many steps, such as (a+)+b.`,
    )
  }
