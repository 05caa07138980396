import { readFileSync } from 'node:fs'

/** @typedef {typeof import('../../src/tracing/index.js')} Tracing */

const fixture = (/** @type {string} */ path) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8')

/**
 * Live plans of all kinds, each recorded through the public API: messages, failures and stopped actions.
 *
 * @type {Readonly<Record<string, (tracing: Tracing) => unknown>>}
 */
export const LIVE_PLANS = {
  'a trip that goes well': ({ plan }) =>
    plan({ workflow: 'trip', planId: 'plan-1', title: 'A day in Rome', request: 'Plan a day in Rome' }, async (p) => {
      await p.planning({ planner: 'planner' }, (s) => s.steps(['[RESEARCHER] look', '[WRITER] write']))
      await p.wait({ reason: 'plan_review', title: 'Fine?' }, (w) =>
        w.review({ action: 'REQUEST_CHANGES', feedback: ' more museums\nplease ' }, 'ann'),
      )
      await p.wait({ reason: 'plan_review', title: 'Fine now?' }, (w) => w.review({ action: 'ACCEPT_PLAN' }, 'ann'))
      await p.agent({ name: 'researcher', step: 0, stepId: 'step-1', request: 'look' }, async (a) => {
        await a.cycle(async (c) => {
          await c.model({ model: 'm-1', provider: 'openai', input: 'think!' }, (m) => {
            m.output('search')
            m.usage({ input: 1200, output: 80, cacheRead: 1000, reasoning: 5 })
          })
          await c.guardrail({ name: 'safepred' }, (g) =>
            g.risk({ score: 0.2, isSafe: true, explanation: 'only reads', worldModel: { semanticDelta: 'results' } }),
          )
          await c.tool({ name: 'search', callId: 'call-1', arguments: { query: 'Rome' } }, () => 'three museums')
        })
        a.result('three museums')
      })
      await p.agent({ name: 'writer', step: 1, stepId: 'step-2' }, async (a) => {
        await a.cycle((c) =>
          c.tool({ name: 'note', callId: 'call-2', arguments: ['not', 'an object'] }, () => ({ ok: true })),
        )
        a.result('Begin at the Forum.')
      })
      p.summary('Begin at the Forum.')
    }),

  'a trip in which a tool fails, one action is stopped and a risky one is taken': ({ plan }) =>
    plan({ workflow: 'trip', planId: 'plan-2', title: 'Book Rome', request: 'Book it' }, async (p) => {
      await p.agent({ name: 'booker', step: 0, stepId: 'step-1' }, async (a) => {
        await a.cycle(async (c) => {
          await c
            .tool({ name: 'book', callId: 'call-1', arguments: '{"n": 1}' }, async () => {
              throw new TypeError('sold out')
            })
            .catch(() => {})
        })
        await a.cycle(async (c) => {
          await c.guardrail({ name: 'safepred', action: { name: 'pay', arguments: { sum: 9000 } } }, (g) =>
            g.risk({ score: 0.9, isSafe: false, policies: ['P001'], explanation: 'too much' }),
          )
        })
        await a.cycle(async (c) => {
          await c.guardrail({ name: 'safepred' }, (g) => g.risk({ score: 0.8, isSafe: false, policies: ['P002'] }))
          await c.tool({ name: 'pay', callId: 'call-3', arguments: { sum: 90 } }, () => 'paid')
        })
        a.result('booked')
      })
    }),

  'a plan that fails, with a sub-plan': ({ plan }) =>
    plan({ workflow: 'trip', planId: 'plan-3', title: 'To Rome' }, async (p) => {
      await p.agent({ name: 'scout', step: 0, stepId: 'step-1' }, async (a) => {
        await a.cycle((c) =>
          c.tool({ name: 'delegate', callId: 'call-1' }, () =>
            plan({ workflow: 'detour', planId: 'plan-3-1', title: 'Detour' }, (sub) =>
              sub.agent({ name: 'guide', step: 0, stepId: 'step-1-1' }, (b) => b.result('found')),
            ),
          ),
        )
        throw new Error('no network')
      })
    }).catch(() => {}),

  'a plan without steps': ({ plan }) => plan({ workflow: 'empty', planId: 'plan-4' }, () => {}),

  'a plan whose answers are JSON and other scripts': ({ plan }) =>
    plan(
      { workflow: 'odd', planId: 'plan-5', title: '旅行 🏛️', request: 'line\nbreak "quoted" \\ \u2028' },
      async (p) => {
        await p.agent({ name: 'agent', step: 0, stepId: 'step-1' }, async (a) => {
          await a.cycle(async (c) => {
            await c.model({ model: 'm-1' }, (m) => m.output([{ role: 'assistant', content: 'Ja, «gern»' }]))
            await c.tool(
              { name: 'browser_view', callId: 'call-1', arguments: { url: 'https://a.example/?q=ü' } },
              () => [1.5, null],
            )
          })
          a.result('{"a": 12345678901234567890}')
        })
      },
    ),

  'Lynxe’s hooks': ({ createLynxeRecorder }) => {
    const recorder = createLynxeRecorder()
    const step = { stepId: 'step-a', stepIndex: 0, stepRequirement: '[WRITER] write article' }
    const call = { name: 'write-file', parameters: '{"file_path": "a.md"}', toolCallId: 'toolcall-1' }
    recorder.recordPlanExecutionStart('plan-6', 'Article', 'Write an article', [step], null, 'plan-6', null)
    recorder.recordStepStart(step, 'plan-6')
    recorder.recordThinkingAndAction(step, { thinkInput: '[User]', thinkOutput: 'write', actToolInfoList: [call] })
    recorder.recordActionResult([{ ...call, result: '{"output":"written"}' }])
    recorder.recordCompleteAgentExecution(step)
    recorder.recordStepEnd(step, 'plan-6')
    recorder.recordPlanCompletion('plan-6', 'An article.')
  },

  'ManusX’s events': ({ createManusRecorder }) => {
    const recorder = createManusRecorder({ sessionId: 'session-1' })
    for (const line of fixture('plan-act/default-mock/redis_output_stream.jsonl').trimEnd().split('\n')) {
      recorder.event(JSON.parse(line))
    }
  },

  'SafePred’s steps': ({ createTrajectoryRecorder }) => {
    const { task_metadata: task, steps } = JSON.parse(fixture('trajectory/execution_trajectory.json'))
    const recorder = createTrajectoryRecorder({ task, planId: 'plan-7' })
    for (const step of steps) recorder.step(step)
    recorder.end()
  },

  'the planner’s run': ({ createPlannerRecorder }) => {
    const {
      question,
      locale,
      context,
      plan,
      review_log: reviews,
      telemetry,
    } = JSON.parse(fixture('review-log/plan_run_record.jsonl'))
    const recorder = createPlannerRecorder({ question, locale, context, planId: 'plan-8' })
    recorder.plan(plan)
    for (const review of reviews) recorder.review(review)
    recorder.telemetry(telemetry)
    recorder.end(plan)
  },
}
