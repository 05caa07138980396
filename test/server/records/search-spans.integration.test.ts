import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { ATTR, type Span } from '../../../src/semconv/index.js'
import type { SpanList, SpanMatches } from '../../../src/wire/index.js'
import { FOREIGN_TRACES, otlpText } from '../../support/foreign-traces.js'
import { listAll, read } from '../listed-plans.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, type TestApp } from '../test-app.js'

/** Far from the beginning of a value. */
const BURIED = `${'So it goes. '.repeat(500)}A needle in "hay" — 漢字, Straße.`

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
  await server.send(
    livePlan({ traceId: 'a'.repeat(32), planId: 'plan-live', subPlanId: 'below', stepId: 'step' }).map(withResult),
  )
  for (const { spans } of generatePlans({ plans: 12, days: 2, seed: 'search', until: Date.UTC(2026, 2, 4) })) {
    await server.send(spans)
  }
  for (const { file } of FOREIGN_TRACES) {
    const headers = { 'content-type': 'application/json' }
    await server.app.request('/v1/traces', { method: 'POST', headers, body: otlpText(file) })
  }
}, 120_000)
afterAll(() => server.close())

/** Tool calls return JSON, in ASCII only; cycles return text. */
function withResult(span: Span): Span {
  const json = JSON.stringify({ answer: BURIED }).replaceAll(
    /[^\0-\x7f]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const said = { tool: { [ATTR.toolCallResult]: json }, think_act: { [ATTR.actResult]: BURIED } }
  const role = span.attributes[ATTR.spanKind] as keyof typeof said
  return { ...span, attributes: { ...span.attributes, ...said[role] } }
}

const search = async (text: string, planId = 'plan-live'): Promise<readonly string[]> => {
  const path = `/api/records/${encodeURIComponent(planId)}/spans/matches?text=${encodeURIComponent(text)}`
  return (await read<SpanMatches>(server, path)).spans.map((id) => id.replace(/^0+/, ''))
}

describe('the text search in a plan', () => {
  test.each([
    ['a text far behind, also in JSON', 'needle in', ['3', '4']],
    ['upper and lower case', 'NEEDLE', ['3', '4']],
    ['quotes, which JSON escapes', 'in "hay"', ['3', '4']],
    ['characters that JSON in ASCII escapes', '漢字, straße', ['3', '4']],
    ['a tool', 'delegate', ['4']],
    ['an agent, whose name all below it carries', 'scout', ['2']],
    ['a title', 'below', ['5']],
    ['a plan’s id in what names it beside its own spans', 'plan-live', ['5']],
    ['the words of the convention', 'think_act', []],
    ['wildcards as what they are', '%', []],
    ['nothing', 'nobody said this', []],
  ])('finds %s', async (_, text, ids) => {
    expect(await search(text)).toEqual(ids)
  })

  test('finds, in any plan, each span with a value that contains the text', async () => {
    for (const { planId, traceId } of await listAll(server, 'limit=1000')) {
      const at = `/api/records/${encodeURIComponent(planId)}`
      const { spans } = await read<SpanList>(server, `${at}/spans?trace=${traceId}`)
      const said = spans.flatMap(({ spanId, attributes }) =>
        [ATTR.outputMessages, ATTR.toolCallArguments, ATTR.riskExplanation].flatMap((key) => {
          const words = /[\p{L}]{5,} [\p{L}]{3,}/u.exec(attributes[key]?.slice(-400) ?? '')
          return words ? [[spanId, words[0]] as const] : []
        }),
      )
      for (const [spanId, text] of said.slice(0, 3)) {
        const path = `${at}/spans/matches?trace=${traceId}&text=${encodeURIComponent(text)}`
        expect((await read<SpanMatches>(server, path)).spans).toContain(spanId)
      }
    }
  })
})
