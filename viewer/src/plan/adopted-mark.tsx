import { useSignal } from '@preact/signals'
import { ATTR } from 'virtual:planspan-names'

import { client } from '../data/client.js'
import { type ExpectedAttribute, missingTelemetry } from '../model/reading.js'
import { Menu } from '../parts/menu.js'
import type { PlanStore } from './plan-store.js'

/** The details of calls that an instrumentation should record. */
const EXPECTED: readonly ExpectedAttribute[] = [
  { role: 'llm', attribute: ATTR.inputMessages, what: 'The prompts of model calls:' },
  { role: 'llm', attribute: ATTR.outputMessages, what: 'The answers of model calls:' },
  { role: 'llm', attribute: ATTR.usageInputTokens, what: 'The tokens of model calls:' },
  { role: 'tool', attribute: ATTR.toolCallArguments, what: 'The arguments of tool calls:' },
  { role: 'tool', attribute: ATTR.toolCallResult, what: 'The results of tool calls:' },
]

/** The instrumentation of a plan, and what its telemetry lacks; loaded when the menu opens. */
export function AdoptedMark({ store }: { readonly store: PlanStore }) {
  const lines = useSignal<readonly string[] | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  const plan = store.summary.value
  if (!plan?.convention) return null
  const read = async (): Promise<void> => {
    try {
      lines.value = missingTelemetry(await client.traceReading(plan.traceId), EXPECTED)
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error)
    }
  }
  return (
    <span onClickCapture={() => void (lines.peek() ?? read())}>
      <Menu label={`from ${plan.convention}`}>
        <div class="gaps">
          <p>Adopted from {plan.convention}. Its telemetry lacks:</p>
          {lines.value ? (
            <ul>
              {lines.value.map((line) => (
                <li key={line}>{line}</li>
              ))}
              {lines.value.length === 0 && <li class="muted">nothing</li>}
            </ul>
          ) : (
            <p class="muted">{failure.value ?? 'Loading …'}</p>
          )}
        </div>
      </Menu>
    </span>
  )
}
