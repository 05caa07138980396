// A server that responds like Lynxe V4.8.7 (LynxeController, MemoryController): details as text/plain or JSON,
// without cycles; agents with cycles, whose only time is that of the response; the newest fifteen conversations.
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * @typedef {{ stepId: string, thinkActSteps: object[], subPlanExecutionRecords: LynxePlan[] }} LynxeAgent
 * @typedef {{ agentExecutionSequence: LynxeAgent[] }} LynxePlan
 * @typedef {{ status?: number, type?: string, body?: string }} Answer
 */

const LISTED = 15

/** The current time, as Jackson writes a LocalDateTime. */
function localTime() {
  const now = new Date()
  const date = [now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate()]
  return [...date, now.getUTCHours(), now.getUTCMinutes(), now.getUTCSeconds(), now.getUTCMilliseconds() * 1e6 + 1]
}

/**
 * The agents of a plan and of its sub-plans.
 *
 * @param {LynxePlan} plan
 * @returns {LynxeAgent[]}
 */
const agentsOf = (plan) =>
  plan.agentExecutionSequence.flatMap((agent) => [agent, ...agent.subPlanExecutionRecords.flatMap(agentsOf)])

/**
 * @param {LynxePlan} plan
 * @returns {LynxePlan}
 */
const withoutCycles = (plan) => ({
  ...plan,
  agentExecutionSequence: plan.agentExecutionSequence.map((agent) => ({
    ...agent,
    thinkActSteps: [],
    subPlanExecutionRecords: agent.subPlanExecutionRecords.map(withoutCycles),
  })),
})

/** Starts a server without plans. */
export async function startLynxe(port = 0) {
  /** The ids of plans by conversation, the newest conversation first. @type {Map<string, string[]>} */
  const conversations = new Map()
  /** @type {Map<string, LynxePlan>} */
  const plans = new Map()
  /** Errors of plans, each returned once. @type {Map<string, string>} */
  const errors = new Map()
  /** The requested paths, in order. @type {string[]} */
  const requests = []

  /** @param {[string, string[]]} conversation */
  const memoryOf = ([id, planIds]) => ({ id: 1, conversation_id: id, memory_name: id, root_plan_ids: planIds })
  /** @param {object} fields */
  const memories = (fields) => JSON.stringify({ success: true, message: 'ok', ...fields, response_time: localTime() })

  /**
   * @param {string} id
   * @returns {Answer}
   */
  function details(id) {
    const error = errors.get(id)
    errors.delete(id)
    if (error !== undefined) return { status: 500, body: JSON.stringify({ error }) }
    const plan = plans.get(id)
    if (!plan) return { status: 404 }
    return { type: 'text/plain;charset=UTF-8', body: JSON.stringify(withoutCycles(plan)) }
  }

  /**
   * @param {string} stepId
   * @returns {Answer}
   */
  function agentExecution(stepId) {
    const agent = [...plans.values()].flatMap(agentsOf).find((one) => one.stepId === stepId)
    if (!agent) return { status: 404 }
    const thinkActSteps = agent.thinkActSteps.map((cycle) => ({ ...cycle, thinkStartTime: localTime() }))
    return { body: JSON.stringify({ ...agent, currentStep: 0, thinkActSteps, subPlanExecutionRecords: [] }) }
  }

  /**
   * @param {URL} url
   * @returns {Answer}
   */
  function answer({ pathname, searchParams }) {
    if (pathname === '/api/memories') {
      const listed = [...conversations].slice(0, LISTED).map(memoryOf)
      return { body: memories({ data: null, memories: listed, total_count: listed.length }) }
    }
    if (pathname === '/api/memories/single') {
      const id = searchParams.get('conversationId') ?? ''
      const planIds = conversations.get(id)
      return { body: memories({ data: planIds ? memoryOf([id, planIds]) : null, memories: null }) }
    }
    const [, path, id = ''] = /^\/api\/executor\/(details|agent-execution)\/(.+)$/.exec(pathname) ?? []
    if (path === undefined) return { status: 404 }
    return path === 'details' ? details(id) : agentExecution(id)
  }

  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    const { status = 200, type = 'application/json', body = '' } = answer(new URL(url, 'http://lynxe'))
    response.writeHead(status, body === '' ? {} : { 'content-type': type }).end(body)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const bound = typeof address === 'object' ? (address?.port ?? port) : port
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    conversations,
    plans,
    errors,
    requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
