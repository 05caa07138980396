import { afterEach, beforeEach, expect, test } from 'vitest'
import { runDemoAgent } from '../../src/cli/demo/demo-agent.js'
import { BOOKER, HOTELS, MESSAGES, PLANNING, RESEARCHER, REVIEW, TRIP } from '../../src/cli/demo/demo-script.js'
import { decodeRecord } from '../../src/mapping/index.js'
import { ROLES } from '../../src/semconv/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'
import { storedSpans } from './stored-spans.js'

let sdk: InMemorySdk
beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

test('the demo agent starts a span of every role and drops nothing', async () => {
  await runDemoAgent()
  const roles = new Set(sdk.spans().map(({ attributes }) => attributes['planspan.span.kind']))
  expect([...roles].sort()).toEqual([...ROLES].sort())
  expect(sdk.spans().filter(({ attributes }) => 'planspan.dropped' in attributes)).toEqual([])
  expect(sdk.span('invoke_workflow trip').events).toContainEqual(
    expect.objectContaining({
      name: 'planspan.message',
      attributes: { 'planspan.message.role': 'assistant', 'planspan.message.content': MESSAGES.progress.content },
    }),
  )
})

test('the record rebuilt from the demo’s spans contains the values of its script', async () => {
  const { planId } = await runDemoAgent()
  const decoded = decodeRecord(storedSpans(sdk.spans()), { planId })
  expect(decoded).toMatchObject({ verdict: 'complete', state: 'completed', live: true, planId })
  const { usage: first } = PLANNING
  const inputTokens = [
    first,
    RESEARCHER.usage,
    RESEARCHER.secondUsage,
    HOTELS.usage,
    BOOKER.usage,
    BOOKER.guardrailUsage,
  ].reduce((sum, { input }) => sum + input, 0)
  expect(JSON.parse(decoded?.text ?? '')).toMatchObject({
    title: TRIP.title,
    userRequest: TRIP.request,
    summary: TRIP.summary,
    modelName: TRIP.modelName,
    structureResult: JSON.stringify(TRIP.result),
    steps: PLANNING.finalSteps,
    completed: true,
    planspan: {
      usage: { inputTokens, cacheWriteTokens: PLANNING.usage.cacheWrite },
      reviews: [
        { attempt: 1, ...REVIEW.change },
        { attempt: 2, ...REVIEW.accept },
      ],
      waits: [{ title: REVIEW.title, actor: REVIEW.actor }, { resolution: 'approved' }],
    },
    agentExecutionSequence: [
      {
        stepId: RESEARCHER.stepId,
        agentName: RESEARCHER.name,
        agentDescription: RESEARCHER.description,
        agentRequest: RESEARCHER.request,
        result: RESEARCHER.result,
        maxSteps: RESEARCHER.maxSteps,
        status: 'FINISHED',
        thinkActSteps: [
          {
            thinkInput: RESEARCHER.request,
            thinkOutput: RESEARCHER.thought,
            actToolInfoList: [
              {
                id: RESEARCHER.search.callId,
                name: RESEARCHER.search.name,
                parameters: JSON.stringify(RESEARCHER.search.arguments),
                result: JSON.stringify(RESEARCHER.fares),
              },
            ],
          },
          { thinkOutput: RESEARCHER.secondThought, actToolInfoList: [{ result: HOTELS.summary }] },
        ],
        subPlanExecutionRecords: [
          {
            toolCallId: RESEARCHER.delegate.callId,
            parentPlanId: planId,
            rootPlanId: planId,
            title: HOTELS.title,
            steps: HOTELS.steps,
            agentExecutionSequence: [{ stepId: HOTELS.stepId, agentName: HOTELS.agent }],
          },
        ],
      },
      {
        stepId: BOOKER.stepId,
        result: BOOKER.result,
        thinkActSteps: [
          {
            actToolInfoList: [
              { id: BOOKER.firstCallId, result: `Error: ${BOOKER.failure}` },
              { result: JSON.stringify(BOOKER.booked) },
            ],
            planspan: { risk: { assessments: [{ name: BOOKER.guardrail, ...BOOKER.risk }] } },
          },
        ],
      },
    ],
  })
})

test('children end before their parents and siblings are in order of start', async () => {
  await runDemoAgent()
  const nanos = ([seconds, rest]: readonly [number, number]) => BigInt(seconds) * 1_000_000_000n + BigInt(rest)
  const spans = sdk.spans()
  for (const span of spans) {
    const parent = spans.find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId)
    if (!parent) continue
    expect(nanos(span.startTime)).toBeGreaterThanOrEqual(nanos(parent.startTime))
    expect(nanos(span.endTime)).toBeLessThanOrEqual(nanos(parent.endTime))
  }
})
