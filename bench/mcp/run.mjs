// How large the answers to assistants are, and how long they take, on a plan of 10,000 spans with long payloads.
// npm run build && node bench/mcp/run.mjs [--spans 10000] [--rounds 5] [--payload 2000]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { ATTR } from '../../dist/semconv/index.js'
import { createSpanSender } from '../../dist/sender/index.js'
import { machine, quantile, table } from '../figures.mjs'
import { planRows } from '../fold/plan.mjs'
import { serve } from '../serve.mjs'

const { values: options } = parseArgs({
  options: {
    spans: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    payload: { type: 'string', default: '2000' },
  },
})
const spans = Number(options.spans)
const rounds = Number(options.rounds)
const payload = 'The page said: "no". '.repeat(Math.ceil(Number(options.payload) / 21))
const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const server = await serve(fileURLToPath(new URL('../..', import.meta.url)), ['--data', directory])
const client = new Client({ name: 'bench', version: '1.0.0' })
try {
  console.log(machine())
  await send('plan-1')
  await send('plan-2')
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
  console.log(table([`${spans} spans`, 'kB', 'p50 ms', 'most ms'], await measure()))
} finally {
  await client.close()
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}

async function send(planId) {
  const traceId = planId.at(-1).repeat(32)
  const rows = planRows({ spans, snapshots: 0 }).map((row, index) => {
    const isTool = row.attributes[ATTR.toolName] !== undefined
    const failed = isTool && index % 50 === 0
    const said = isTool ? { [ATTR.toolCallResult]: payload } : {}
    return {
      ...row,
      traceId,
      kind: 'INTERNAL',
      statusCode: failed ? 'ERROR' : row.statusCode,
      attributes: {
        ...row.attributes,
        ...said,
        ...(failed ? { [ATTR.errorMessage]: `${index}: ${payload}` } : {}),
        [ATTR.planId]: planId,
        [ATTR.planRootId]: planId,
      },
    }
  })
  const { rejected, reasons } = await createSpanSender({ url: `${server.url}/v1/traces` }).send(rows)
  if (rejected > 0) throw new Error(reasons.join(' '))
}

async function measure() {
  const planId = 'plan-1'
  const { structuredContent: plan } = await client.callTool({ name: 'read_plan', arguments: { planId } })
  const { structuredContent: faults } = await client.callTool({ name: 'find_faults', arguments: { planId } })
  const { spanId } = faults.failures.items[0]
  const results = []
  for (const [name, asked] of [
    ['find_plans', {}],
    ['count_plans', {}],
    ['find_faults', { planId }],
    ['find_faults', { planId, only: 'failures', limit: 200 }],
    ['read_plan', { planId }],
    ['read_plan', { planId, under: plan.spans[1].spanId, limit: 500 }],
    ['read_span', { planId, spanId }],
    ['compare_plans', { planId, otherPlanId: 'plan-2' }],
    ['ask_question', {}],
    ['ask_question', { question: 18 }],
    ['query_sql', { sql: 'SELECT * FROM tool_calls', limit: 1000 }],
  ]) {
    const times = []
    let bytes = 0
    for (let round = -1; round < rounds; round++) {
      const begun = performance.now()
      const answer = await client.callTool({ name, arguments: asked })
      if (answer.isError) throw new Error(`${name}: ${answer.content[0].text}`)
      if (round >= 0) times.push(performance.now() - begun)
      bytes = Math.max(bytes, Buffer.byteLength(JSON.stringify(answer)))
    }
    const { planId: _, ...shown } = asked
    const what = Object.keys(shown).length === 0 ? name : `${name} ${JSON.stringify(shown)}`
    results.push([what, (bytes / 1000).toFixed(1), Math.round(quantile(times, 0.5)), Math.round(Math.max(...times))])
  }
  return results
}
