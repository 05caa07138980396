// The record of a trace that another instrumentation sent, and of the same trace in planspan's own conventions, which
// needs no adoption: time and memory, each in a process of its own. npm run build && node bench/adoption/run.mjs
// [--spans 1000,10000,100000]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { adopt } from '../../dist/mapping/adopt/index.js'
import { decodeRecord } from '../../dist/mapping/index.js'
import { machine, table } from '../figures.mjs'

const { values } = parseArgs({
  options: { spans: { type: 'string', default: '1000,10000,100000' }, measure: { type: 'string' } },
})
const TRACE = 'a'.repeat(32)
const ROUNDS = 5

/** Agents' loops as the GenAI conventions tell them: a model call of 2 kB, and the tool call that it asks for. */
function foreignRows(count) {
  const rows = []
  const add = (parentSpanId, name, attributes) => {
    const spanId = (rows.length + 1).toString(16).padStart(16, '0')
    const startTimeUnixNano = 1_790_000_000_000_000_000n + BigInt(rows.length) * 1_000_000n
    const endTimeUnixNano = startTimeUnixNano + 900_000n
    const told = { statusCode: 'UNSET', statusMessage: '', events: [], links: [], resourceAttributes: {} }
    const from = { kind: 'Internal', serviceName: 'shop', scopeName: 'some' }
    rows.push({
      traceId: TRACE,
      spanId,
      parentSpanId,
      name,
      startTimeUnixNano,
      endTimeUnixNano,
      attributes,
      ...told,
      ...from,
    })
    return spanId
  }
  const message = (role, part) => JSON.stringify([{ role, parts: [part] }])
  let agent = ''
  while (rows.length < count) {
    if (rows.length % 100 === 0) {
      const name = `agent ${rows.length / 100}`
      agent = add('', `invoke_agent ${name}`, { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name })
      continue
    }
    const id = `call-${rows.length}`
    add(agent, 'chat m', {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': '500',
      'gen_ai.usage.output_tokens': '40',
      'gen_ai.input.messages': message('user', { type: 'text', content: 'x'.repeat(2000) }),
      'gen_ai.output.messages': message('assistant', { type: 'tool_call', id, name: 'search', arguments: { q: 'x' } }),
    })
    add(agent, 'execute_tool search', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': '{"q":"x"}',
      'gen_ai.tool.call.result': 'y'.repeat(500),
    })
  }
  return rows
}

if (values.measure !== undefined) {
  const [kind, count] = values.measure.split(':')
  const foreign = foreignRows(Number(count))
  // Planspan's own spans tell their roles themselves, so that nothing is adopted.
  const rows = kind === 'foreign' ? foreign : adopt(foreign)
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now()
    decodeRecord(rows)
    return performance.now() - began
  }).toSorted((a, b) => a - b)
  console.log(JSON.stringify({ ms: times[ROUNDS >> 1], mb: process.resourceUsage().maxRSS / 1024 }))
} else {
  console.log(machine())
  const measure = (kind, count) => {
    const argv = [fileURLToPath(import.meta.url), '--measure', `${kind}:${count}`]
    const { stdout, stderr, status } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  const rows = values.spans.split(',').map((count) => {
    const [foreign, own] = [measure('foreign', count), measure('own', count)]
    return [
      Number(count).toLocaleString('en'),
      `${foreign.ms.toFixed(0)} ms`,
      `${own.ms.toFixed(0)} ms`,
      `${(foreign.ms / own.ms).toFixed(1)} ×`,
      `${foreign.mb.toFixed(0)} and ${own.mb.toFixed(0)} MB`,
    ]
  })
  const head = ['spans', 'record of a foreign trace', 'of the same in planspan’s conventions', 'ratio', 'most memory']
  console.log(table(head, rows))
}
