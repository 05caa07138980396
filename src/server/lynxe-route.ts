import { Hono, type Context } from 'hono'

import { decodeRecord, type DecodedRecord, type DialectName, planOfStep } from '../mapping/index.js'
import type { SpanReader } from '../store/index.js'
import { readJoined } from './read-joined.js'

const DIALECT: DialectName = 'plan-execution'

/**
 * Lynxe's two paths for reading a plan's execution, with the responses of its LynxeController: details are JSON sent as
 * `text/plain` unless JSON is asked for, errors have no body or plain text, and a sub-plan's id is not found. Its
 * page asks to delete the details of a plan that is done; like Lynxe, that deletes nothing.
 */
export function lynxeRoute(reader: SpanReader): Hono {
  const app = new Hono()

  app.get('/api/executor/details/:planId{.*}', async (c) => {
    const planId = c.req.param('planId')
    if (planId.trim() === '') return c.text('Plan ID cannot be null or empty', 400)
    try {
      const record = await readDetails(reader, planId)
      if (!record) return notFound(c)
      return c.body(record.text, 200, { 'content-type': detailsType(c) })
    } catch (error) {
      return c.text(`Error processing request: ${error instanceof Error ? error.message : String(error)}`, 500)
    }
  })

  app.delete('/api/executor/details/:planId{.*}', async (c) => {
    const planId = c.req.param('planId')
    try {
      const record = await readDetails(reader, planId)
      return record ? c.json({ message: 'Execution record found (no deletion needed)', planId }) : notFound(c)
    } catch (error) {
      return c.json({ error: error instanceof Error ? error.message : String(error) }, 500)
    }
  })

  app.get('/api/executor/agent-execution/:stepId{.*}', async (c) => {
    try {
      const record = await readAgentExecution(reader, c.req.param('stepId'))
      return record ? c.body(record.text, 200, { 'content-type': 'application/json' }) : notFound(c)
    } catch {
      return c.body(null, 500)
    }
  })

  return app
}

async function readDetails(reader: SpanReader, planId: string): Promise<DecodedRecord | undefined> {
  const [trace, asRoot, asStep] = await Promise.all([
    reader.selectTrace(planId, { dialect: DIALECT }),
    reader.findTraces({ kind: 'plan.root', key: planId }),
    reader.findTraces({ kind: 'step', key: planId }),
  ])
  // A sub-plan is not a root, and a standalone agent record uses its step's id as its plan's id.
  if (!trace || !asRoot.includes(trace.traceId) || asStep.includes(trace.traceId)) return undefined
  const record = decodeRecord(await reader.readTrace(trace.traceId), { planId, form: 'lynxe-details' })
  return record?.dialect === DIALECT ? record : undefined
}

/**
 * An agent's execution: a live agent's, else that of a standalone agent record, else the one inside its plan's record.
 * An agent that has not begun is known by its plan alone: by the plan's list, or by an id that was made of the plan's.
 */
async function readAgentExecution(reader: SpanReader, stepId: string): Promise<DecodedRecord | undefined> {
  const planId = planOfStep(stepId)
  const trace =
    (await reader.selectTrace(stepId, { kind: 'step', dialect: DIALECT })) ??
    (await reader.selectTrace(stepId, { kind: 'step.listed', dialect: DIALECT })) ??
    (planId === undefined ? undefined : await reader.selectTrace(planId, { dialect: DIALECT }))
  if (!trace) return undefined
  const own = trace.live ? undefined : await reader.selectTrace(stepId, { dialect: DIALECT })
  const spans = await (own ? reader.readTrace(own.traceId) : readJoined(reader, trace))
  const record = decodeRecord(spans, { stepId, form: 'lynxe-agent-execution' })
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
