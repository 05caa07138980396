import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildForest } from '../../src/mapping/tree/forest.js'
import { foldSpans } from '../../src/mapping/index.js'
import { stateOf } from '../../src/mapping/tree/state.js'
import { walk } from '../../src/mapping/tree/span-node.js'
import { startPlan } from '../../src/tracing/index.js'
import { interruptOpenPlans } from '../../src/tracing/open-spans.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'
import { storedSpans } from './stored-spans.js'

let sdk: InMemorySdk

beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

interface Handle {
  cancel(): void
  fail(error: unknown): void
  error(error: unknown): void
  end(): void
}

const startCycle = () => startPlan().startAgent().startCycle()

const HANDLES: readonly (readonly [role: string, start: () => Handle])[] = [
  ['plan', () => startPlan()],
  ['planning', () => startPlan().startPlanning()],
  ['wait', () => startPlan().startWait()],
  ['agent', () => startPlan().startAgent()],
  ['think_act', () => startCycle()],
  ['tool', () => startCycle().startTool({ name: 't' })],
  ['llm', () => startCycle().startModel()],
  ['guardrail', () => startCycle().startGuardrail()],
]

const WAYS: readonly (readonly [what: string, end: (handle: Handle) => void, state: string])[] = [
  ['end()', () => undefined, 'completed'],
  ['cancel(), then end()', (handle) => handle.cancel(), 'cancelled'],
  ['fail(), then end()', (handle) => handle.fail(new Error('e')), 'failed'],
  ['error(), then end()', (handle) => handle.error(new Error('e')), 'failed'],
  ['a signal, then end()', () => interruptOpenPlans(), 'interrupted'],
]

describe.each(HANDLES)('a handle of the role %s', (role, start) => {
  test.each(WAYS)('is stored after %s with the state at its end', (_what, end, state) => {
    const handle = start()
    end(handle)
    handle.end()
    // Its parents stay open, and are not in the results.
    const nodes = buildForest(foldSpans(storedSpans(sdk.spans()))).flatMap((root) => [...walk(root)])
    const own = nodes.filter((node) => node.role === role)
    expect(own.map(stateOf)).toEqual([state])
    interruptOpenPlans()
  })
})
