import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { spanTree, type TreeOptions } from '../../../src/cli/show/span-tree.js'
import { displayWidth } from '../../../src/cli/output/text-layout.js'
import { treeSpans } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { toSpanJson } from '../../../src/server/json/tree-span-json.js'
import { PlanLife } from '../../support/plan-life.js'

const said = (role: 'user' | 'assistant', content: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }])

const SCORED: Readonly<Record<string, number | boolean | string[]>> = {
  [ATTR.riskScore]: 0.9,
  [ATTR.riskIsSafe]: false,
}

/** A plan in which a guardrail stops an action, a tool fails and a person requests changes, all with the same text. */
function tree(text: string, options?: TreeOptions, judged = SCORED): string[] {
  const life = new PlanLife({ traceId: 'a'.repeat(32), planId: 'plan-1' })
  life.start('plan', 'plan', undefined, {
    [ATTR.planTitle]: text,
    [ATTR.inputMessages]: said('user', text),
    [ATTR.planSummary]: text,
  })
  life.start('wait', 'wait', 'plan', { [ATTR.waitReason]: 'plan_review', [ATTR.waitFormDescription]: text })
  life.end('wait', { [ATTR.reviewAction]: 'REQUEST_CHANGES', [ATTR.reviewAttempt]: 1, [ATTR.reviewFeedback]: text })
  life.start('agent', 'agent', 'plan', { [ATTR.agentName]: 'scout', [ATTR.stepDescription]: text })
  life.start('guardrail', 'guardrail', 'agent')
  life.end('guardrail', {
    ...judged,
    [ATTR.riskActionTaken]: false,
    [ATTR.riskExplanation]: text,
  })
  life.start('tool', 'tool', 'agent', { [ATTR.toolCallArguments]: text })
  life.end('tool', { [ATTR.state]: 'failed', [ATTR.errorType]: 'TimeoutError', [ATTR.errorMessage]: text })
  life.end('agent', { [ATTR.state]: 'failed', [ATTR.errorMessage]: text })
  life.end('plan', { [ATTR.state]: 'failed', [ATTR.errorMessage]: text })
  return spanTree(treeSpans(life.stored).map(toSpanJson), 'plan-1', options)
}

describe('the tree of a plan', () => {
  test.each([
    [' unsafe', { [ATTR.riskIsSafe]: false }],
    [' unsafe', { [ATTR.riskViolatedPolicyIds]: ['P1'] }],
    [' risk 0.2', { [ATTR.riskScore]: 0.2 }],
    ['', { [ATTR.riskIsSafe]: true }],
  ])('shows of a judgment%s for %j', (shown, judged) => {
    const line = tree('Words', {}, judged).find((one) => one.includes('run_guardrail'))
    expect(line?.replaceAll(/ {2}[\d.]+ m?s/g, '').trimEnd()).toBe(
      `   ├─ run_guardrail${shown === '' ? '' : ` ${shown}`}`,
    )
  })

  test('gives reasons: requests, stopped actions, reviews and failures', () => {
    const lines = tree('Words', { details: 'cut', width: 80 }).map((line) => line.replaceAll(/ {2}[\d.]+ m?s/g, ''))
    expect(lines).toEqual([
      'invoke_workflow  failed  Words',
      '│  request   Words',
      '│  summary   Words',
      '│  error     Words',
      '├─ wait_for_user',
      '│     asked     Words',
      '│     review    REQUEST_CHANGES of attempt 1: Words',
      '└─ invoke_agent  failed',
      '   │  step      Words',
      '   │  error     Words',
      '   ├─ run_guardrail  risk 0.9',
      '   │     verdict   not safe; action stopped',
      '   │     because   Words',
      '   └─ execute_tool  failed  Words',
      '         error     TimeoutError: Words',
    ])
  })

  test('shows a full text, line by line, on request', () => {
    const lines = tree('One\r\nTwo\u2028Three \u001B[31m', { details: 'full', width: 20 })
    const at = lines.indexOf('│  request   One')
    expect(lines.slice(at, at + 3)).toEqual(['│  request   One', '│            Two', '│            Three [31m'])
  })

  test('shows only the lines of spans by default', () => {
    expect(tree('Words')).toHaveLength(5)
  })

  test('is never broken by its content, nor wider than the terminal', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'ab \n\r\t\u0000\u001B\u0085\u009B\u2028漢😀é│└─'),
      maxLength: 200,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 50, max: 120 }), (data, width) => {
        for (const line of tree(data, { details: 'cut', width })) {
          expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/)
          expect(displayWidth(line)).toBeLessThanOrEqual(width)
        }
        for (const line of tree(data, { details: 'full', width })) {
          expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/)
        }
      }),
      { numRuns: 100 },
    )
  })
})
