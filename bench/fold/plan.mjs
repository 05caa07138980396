import { createHash } from 'node:crypto'

import { ATTR, PENDING } from '../../dist/semconv/index.js'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const START = 1_772_625_600_000_000_000n
const idOf = (name) => createHash('sha256').update(name).digest('hex').slice(0, 16)

const OPERATIONS = {
  plan: 'invoke_workflow trip',
  agent: 'invoke_agent researcher',
  think_act: 'agent_step researcher',
  llm: 'chat gpt-5',
  tool: 'execute_tool browse',
}

const OWN = {
  plan: (i) => ({
    [ATTR.agentName]: 'trip',
    [ATTR.planTitle]: `A trip in ${i} segments`,
    [ATTR.planSteps]: JSON.stringify(Array.from({ length: 50 }, (_, step) => `[RESEARCHER] step ${step}`)),
    [ATTR.heartbeatIntervalMs]: '30000',
  }),
  agent: (i) => ({
    [ATTR.agentName]: 'researcher',
    [ATTR.stepId]: `step-${i}`,
    [ATTR.stepIndex]: String(i),
    [ATTR.inputMessages]: JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `Look at part ${i}` }] }]),
  }),
  think_act: (i) => ({
    [ATTR.stepIndex]: String(i),
    [ATTR.actNeeded]: 'true',
    [ATTR.actDescription]: 'Browse the page',
  }),
  llm: (i) => ({
    [ATTR.requestModel]: 'gpt-5',
    [ATTR.inputMessages]: JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'think '.repeat(40) }] }]),
    [ATTR.outputMessages]: JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: 'act '.repeat(30) }] },
    ]),
    [ATTR.usageInputTokens]: String(1000 + i),
    [ATTR.usageOutputTokens]: '120',
  }),
  tool: (i) => ({
    [ATTR.toolName]: 'browse',
    [ATTR.toolCallId]: `call-${i}`,
    [ATTR.toolCallArguments]: JSON.stringify({ url: `https://example.com/${i}`, depth: 2 }),
    [ATTR.toolCallResult]: 'result '.repeat(30),
  }),
}

/**
 * The stored rows of one plan of agents in think-act cycles, each with a model call and a tool call: `spans` spans and
 * `snapshots` snapshots, in no order. `ended` tells how much of it is over; the rest has snapshots alone.
 */
export function planRows({ spans, snapshots, ended = 1, segments = 1 }) {
  const real = []
  let clock = START
  const span = (role, parent, index, attributes = {}) => {
    clock += 1_000_000n
    const made = { name: `${role} ${real.length}`, role, parent, index, start: clock, attributes }
    real.push(made)
    return made
  }
  const perSegment = Math.ceil(spans / segments)
  let above = ''
  for (let segment = 0; segment < segments; segment++) {
    const plan = span('plan', above, segments, segment === 0 ? {} : { [ATTR.planSegment]: String(segment) })
    above = plan.name
    for (let step = 0; real.length < Math.min(spans, perSegment * (segment + 1)); step++) {
      const agent = span('agent', plan.name, step, { [ATTR.seq]: String(step) })
      for (let cycle = 0; cycle < 66 && real.length + 3 <= spans; cycle++) {
        const act = span('think_act', agent.name, cycle, { [ATTR.seq]: String(cycle) })
        span('llm', act.name, cycle)
        span('tool', act.name, cycle)
      }
    }
  }
  const shown = real.filter(({ role }) => role !== 'llm')
  // A cycle ends after its two calls.
  const last = Math.floor(real.length * ended)
  const rows = real
    .filter(
      ({ role }, index) =>
        ended === 1 || (index < (role === 'think_act' ? last - 2 : last) && role !== 'plan' && role !== 'agent'),
    )
    .map((made) => rowOf(made, made.name, clock, { [ATTR.state]: 'completed' }))
  for (let i = 0; i < snapshots; i++) {
    const made = shown[i % shown.length]
    const seq = Math.floor(i / shown.length)
    const row = rowOf(made, `${made.name}/${seq}`, made.start + BigInt(seq) * 1_000_000n, {
      [ATTR.spanState]: PENDING,
      [ATTR.pendingSpanId]: idOf(made.name),
      [ATTR.pendingParentSpanId]: made.parent === '' ? '' : idOf(made.parent),
      [ATTR.snapshotSeq]: String(seq),
    })
    rows.push({ ...row, parentSpanId: idOf(made.name) })
  }
  return shuffled(rows)
}

const rowOf = ({ role, parent, index, start, attributes }, name, end, more) => ({
  traceId: TRACE_ID,
  spanId: idOf(name),
  parentSpanId: parent === '' ? '' : idOf(parent),
  name: OPERATIONS[role],
  kind: role === 'llm' ? 'Client' : 'Internal',
  startTimeUnixNano: start,
  endTimeUnixNano: end,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes: {
    [ATTR.spanKind]: role,
    [ATTR.planId]: 'plan-bench',
    [ATTR.planRootId]: 'plan-bench',
    [ATTR.conversationId]: 'conv-bench',
    [ATTR.schemaVersion]: '1',
    ...OWN[role](index),
    ...attributes,
    ...more,
  },
  events: [],
  links: [],
  serviceName: 'agent',
  scopeName: 'planspan',
  resourceAttributes: { 'service.name': 'agent', 'telemetry.sdk.language': 'nodejs' },
})

/** The same disorder each time. */
function shuffled(rows) {
  let seed = 42
  for (let i = rows.length - 1; i > 0; i--) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    const j = seed % (i + 1)
    ;[rows[i], rows[j]] = [rows[j], rows[i]]
  }
  return rows
}
