import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { type CycleSpan, PendingSpanProcessor, plan, type PlanSpan } from '../../../src/tracing/index.js'
import { figuresOf } from '../../support/told-figures.js'
import { installSdk, type InMemorySdk } from '../../tracing/in-memory-sdk.js'
import { storedSpans } from '../../tracing/stored-spans.js'

let sdk: InMemorySdk
beforeEach(() => {
  sdk = installSdk({ before: (next) => new PendingSpanProcessor(next) })
})
afterEach(() => sdk.uninstall())

/** A cycle of a plan's only agent. */
const inCycle =
  (work: (c: CycleSpan) => unknown) =>
  async (p: PlanSpan): Promise<void> => {
    await p.agent({ name: 'operator', step: 0 }, (a) => a.cycle((c) => work(c)))
  }

const usage = (input: number) => ({ input, output: 1 })
const RISK = { score: 0.9, isSafe: false, policies: ['P1'], explanation: 'it deletes too much' }
const call = (number: number) => ({ name: 'delete', callId: `call-${String(number)}`, arguments: { number } })
const toolCall = ({ name, callId, arguments: given }: ReturnType<typeof call>) => ({
  type: 'tool_call',
  name,
  id: callId,
  arguments: given,
})

/** The work of a plan, by the property under test. */
const COURSES: readonly [course: string, run: (p: PlanSpan) => unknown][] = [
  [
    'a cycle calls several models, and shows the last',
    inCycle(async (c) => {
      await c.model({ model: 'small', provider: 'a' }, (m) => m.usage(usage(1)))
      await c.model({ model: 'large', provider: 'b', input: 'think!' }, (m) => {
        m.output('thought')
        m.usage(usage(2))
      })
    }),
  ],
  ['a model does not say what it used', inCycle((c) => c.model({ model: 'silent' }, () => undefined))],
  [
    'a planning asks a model of its own',
    async (p) => {
      await p.planning({ planner: 'planner' }, (s) => s.model({ model: 'planner' }, (m) => m.usage(usage(3))))
      await p.agent({ name: 'operator', step: 0 }, async (a) => {
        await a.cycle(async (c) => {
          await c.model({ model: 'cycle' }, (m) => m.usage(usage(5)))
        })
      })
    },
  ],
  [
    'a guardrail names the call that it stops',
    inCycle((c) => c.guardrail({ name: 'safe', action: call(1) }, (g) => g.risk(RISK))),
  ],
  [
    'a guardrail stops both calls that the model proposed',
    inCycle(async (c) => {
      await c.model({ model: 'm' }, (m) => {
        m.output([{ role: 'assistant', parts: [toolCall(call(1)), toolCall(call(2))] }])
        m.usage(usage(1))
      })
      await c.guardrail({ name: 'safe' }, async (g) => {
        await g.model({ model: 'judge' }, (m) => m.usage(usage(7)))
        g.risk(RISK)
      })
    }),
  ],
  [
    'one of two calls is stopped by two guardrails',
    inCycle(async (c) => {
      await c.guardrail({ name: 'first', action: call(1) }, (g) => g.risk(RISK))
      await c.guardrail({ name: 'second', action: call(1) }, (g) => g.risk(RISK))
      await c.tool(call(2), () => 'done')
    }),
  ],
  [
    'a cycle and its call wait for a person',
    inCycle(async (c) => {
      await c.wait({ reason: 'form_input', title: 'Which?' }, (w) =>
        w.answer({ resolution: 'submitted', actor: 'ann' }),
      )
      await c.tool(call(1), (t) =>
        t.wait({ reason: 'tool_approval', title: 'May I?' }, (w) => w.answer({ resolution: 'refused', actor: 'bob' })),
      )
    }),
  ],
  [
    'a call in a sub-plan waits on',
    inCycle((c) =>
      c.tool(call(1), async () => {
        await plan(
          { workflow: 'below', planId: 'plan-below' },
          inCycle((d) =>
            d.tool(call(2), (t) => {
              t.startWait({ reason: 'tool_approval', title: 'May I?' }).suspend()
            }),
          ),
        )
      }),
    ),
  ],
]

test.each(COURSES)('if %s, the imported record equals the live plan’s', async (_, run) => {
  await plan({ workflow: 'desk', planId: 'plan-desk', steps: ['clean up'] }, async (p) => void (await run(p)))
  await sdk.provider.forceFlush()
  const live = storedSpans(sdk.spans())
  const { text } = decodeRecord(live, { planId: 'plan-desk' })!
  const imported = [...encodeRecords(Buffer.from(text))][0]!.spans.map(toStoredSpan)
  expect(decodeRecord(imported)).toMatchObject({ text, verdict: 'complete' })
  expect(figuresOf(imported)).toEqual(figuresOf(live))
})

test('a call that was not made is not a span of the imported record', async () => {
  const [, stopped] = COURSES.find(([course]) => course.includes('both calls'))!
  await plan({ workflow: 'desk', planId: 'plan-desk' }, async (p) => void (await stopped(p)))
  const { text } = decodeRecord(storedSpans(sdk.spans()), { planId: 'plan-desk' })!
  const [record] = encodeRecords(Buffer.from(text))
  expect(record!.spans.filter(({ attributes }) => attributes[ATTR.spanKind] === 'tool')).toEqual([])
})
