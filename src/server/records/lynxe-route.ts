import { Hono, type Context } from 'hono'

import { planOfStep, type DialectName } from '../../mapping/index.js'
import { honoPath, pathParameter } from '../http/index.js'
import type { RebuiltRecord } from '../rebuild/index.js'
import { goneOf, type Gone, type Records } from './find-record.js'

const DIALECT: DialectName = 'plan-execution'

/**
 * Lynxe's two paths for reading a plan's execution, with the responses of its LynxeController: details are JSON sent as
 * `text/plain` unless JSON is asked for, errors have no body or plain text, and a sub-plan's id is not found. Its
 * page asks to delete the details of a plan that is done; like Lynxe, that deletes nothing.
 */
export function lynxeRoute(records: Records): Hono {
  const app = new Hono()

  app.get(honoPath('GET /api/executor/details/{planId}', '{.*}'), async (c) => {
    const planId = pathParameter(c, 'planId')
    if (planId.trim() === '') return c.text('Plan ID cannot be null or empty', 400)
    try {
      const record = await readDetails(records, planId, goneOf(c))
      if (!record) return notFound(c)
      return c.body(record.body, 200, { 'content-type': detailsType(c) })
    } catch (error) {
      return c.text(`Error processing request: ${error instanceof Error ? error.message : String(error)}`, 500)
    }
  })

  app.delete(honoPath('DELETE /api/executor/details/{planId}', '{.*}'), async (c) => {
    const planId = pathParameter(c, 'planId')
    try {
      const record = await readDetails(records, planId, goneOf(c))
      return record ? c.json({ message: 'Execution record found (no deletion needed)', planId }) : notFound(c)
    } catch (error) {
      return c.json({ error: error instanceof Error ? error.message : String(error) }, 500)
    }
  })

  app.get(honoPath('GET /api/executor/agent-execution/{stepId}', '{.*}'), async (c) => {
    try {
      const record = await readAgentExecution(records, pathParameter(c, 'stepId'), goneOf(c))
      return record ? c.body(record.body, 200, { 'content-type': 'application/json' }) : notFound(c)
    } catch {
      return c.body(null, 500)
    }
  })

  return app
}

async function readDetails(
  { reader, rebuilder }: Records,
  planId: string,
  gone: Gone,
): Promise<RebuiltRecord | undefined> {
  const [trace, asRoot, asStep] = await Promise.all([
    reader.selectTrace(planId, { dialect: DIALECT }),
    reader.findTraces({ kind: 'plan.root', key: planId }),
    reader.findTraces({ kind: 'step', key: planId }),
  ])
  // A sub-plan is not a root, and a standalone agent record uses its step's id as its plan's id.
  const isRoot = trace && (trace.byTraceId ? trace.traceId === planId : asRoot.includes(trace.traceId))
  if (!isRoot || asStep.includes(trace.traceId)) return undefined
  const task = { trace, joined: false, options: { planId, form: 'lynxe-details' } } as const
  const record = await rebuilder.run('record', task, gone)
  return record?.dialect === DIALECT ? record : undefined
}

/**
 * An agent's execution: a live agent's, else that of a standalone agent record, else the one inside its plan's record.
 * An agent that has not begun is found only through its plan: in the plan's list, or by an id derived from the plan's.
 */
async function readAgentExecution(
  { reader, rebuilder }: Records,
  stepId: string,
  gone: Gone,
): Promise<RebuiltRecord | undefined> {
  const planId = planOfStep(stepId)
  const trace =
    (await reader.selectTrace(stepId, { kind: 'step', dialect: DIALECT })) ??
    (await reader.selectTrace(stepId, { kind: 'step.listed', dialect: DIALECT })) ??
    (planId === undefined ? undefined : await reader.selectTrace(planId, { dialect: DIALECT }))
  if (!trace) return undefined
  const own = trace.live ? undefined : await reader.selectTrace(stepId, { dialect: DIALECT })
  const options = { stepId, form: 'lynxe-agent-execution' } as const
  const record = await rebuilder.run('record', { trace: own ?? trace, joined: own === undefined, options }, gone)
  return record?.dialect === DIALECT ? record : undefined
}

const notFound = (c: Context): Response => c.body(null, 404, { 'content-length': '0' })

// Spring would also send text/html to a browser, and the browser would run whatever markup an agent has read somewhere.
function detailsType(c: Context): string {
  const wanted = (c.req.header('accept') ?? '*/*').split(',').map((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { type, quality: quality === undefined ? 1 : Number(quality) }
  })
  const [first] = wanted.sort((a, b) => b.quality - a.quality)
  return first?.type === 'application/json' ? 'application/json' : 'text/plain;charset=UTF-8'
}
