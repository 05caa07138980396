import { afterEach, describe, expect, test, vi } from 'vitest'
import { installSdk } from './in-memory-sdk.js'

const VARIABLE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

async function runPlan(setting: string | undefined) {
  vi.stubEnv(VARIABLE, setting)
  vi.resetModules()
  const { plan } = await import('../../src/tracing/index.js')
  const sdk = installSdk()
  const secret = 'said in confidence'
  try {
    plan({ workflow: 'w', title: secret, request: secret }, (p) => {
      p.update({ steps: [secret], reason: secret })
      p.message({ role: 'user', content: secret })
      p.review({ action: 'ACCEPT_PLAN', feedback: secret })
      p.agent({ name: 'a' }, (a) =>
        a.cycle((c) => {
          c.guardrail({ name: 'g' }, (g) => g.risk({ score: 1, explanation: secret }))
          c.model({ model: 'm', input: secret }, (m) => m.output(secret))
          c.tool({ name: 't', arguments: secret }, () => secret)
          throw new Error(secret)
        }),
      )
    })
  } catch {
    // The error is part of the test.
  }
  sdk.uninstall()
  const spans = sdk.spans()
  const surface = JSON.stringify(
    spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  )
  return { spans, leaked: surface.includes(secret) }
}

describe('content capture', () => {
  test.each([undefined, '', 'true', 'SPAN_ONLY', 'span_and_event'])('is on with %s', async (setting) => {
    expect((await runPlan(setting)).leaked).toBe(true)
  })

  test.each(['false', 'NO_CONTENT', 'event_only', 'nonsense'])('is off with %s, on the whole span', async (setting) => {
    const { spans, leaked } = await runPlan(setting)
    expect(leaked).toBe(false)
    const redacted = (name: string) => spans.find((span) => span.name === name)?.attributes['planspan.redacted_fields']
    expect(redacted('execute_tool t')).toEqual(['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'])
    expect(redacted('agent_step a')).toEqual(['planspan.error.message'])
    expect(spans.find(({ name }) => name === 'chat m')?.attributes).toMatchObject({
      'planspan.think.input_char_count': 18,
      'planspan.redacted_fields': ['gen_ai.input.messages', 'gen_ai.output.messages'],
    })
    expect(spans.find(({ name }) => name === 'invoke_workflow w')?.attributes).toMatchObject({
      'planspan.review.count': 1,
      'planspan.review.final_action': 'ACCEPT_PLAN',
    })
  })
})
