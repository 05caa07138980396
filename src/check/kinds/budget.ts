import { z } from 'zod'

import { appendTo } from '../../base/append.js'
import { actionKey, actionOf, durationOf, type SpanNode } from '../../mapping/index.js'
import type { CheckedPlan } from '../checked-plan.js'
import { defineKind, type Found } from '../kind.js'

/** A measured quantity. Undefined if the spans do not say. */
interface Measured {
  readonly value: number | undefined
  /** Whether the value may be higher than measured. */
  readonly isPartial?: boolean
  /** Where the limit was exceeded. */
  readonly node?: SpanNode | undefined
}

interface Quantity {
  readonly description: string
  readonly unit: string
  measure(plan: CheckedPlan, limit: number): Measured
}

const counted = (nodes: readonly SpanNode[], limit: number): Measured => ({
  value: nodes.length,
  node: nodes[Math.trunc(limit)],
})

const countOf =
  (wanted: (node: SpanNode) => boolean): Quantity['measure'] =>
  ({ nodes }, limit) =>
    counted(nodes.filter(wanted), limit)

/** The quantities that a budget limits, over the plan and its sub-plans. */
const QUANTITIES = {
  tokens: {
    description: 'Input and output tokens of all model calls.',
    unit: 'tokens',
    measure: ({ figures }) => ({ value: figures().tokens }),
  },
  inputTokens: {
    description: 'Input tokens of all model calls.',
    unit: 'input tokens',
    measure: ({ figures }) => ({ value: figures().usage?.inputTokens }),
  },
  outputTokens: {
    description: 'Output tokens of all model calls.',
    unit: 'output tokens',
    measure: ({ figures }) => ({ value: figures().usage?.outputTokens }),
  },
  costUsd: {
    description: 'The cost of all model calls, US dollars.',
    unit: 'US dollars',
    measure: ({ figures }) => {
      const { costUsd, modelCalls, unpricedCalls } = figures()
      return { value: costUsd ?? (modelCalls === 0 ? 0 : undefined), isPartial: unpricedCalls > 0 }
    },
  },
  seconds: {
    description: 'The time from the start to the end of the plan, seconds; of a running plan, until its last span.',
    unit: 'seconds',
    measure: ({ head, nodes, isOver }) => {
      const duration = isOver ? durationOf(head) : longest(head, nodes)
      return { value: duration === undefined ? undefined : Number(duration) / 1e9 }
    },
  },
  cycles: { description: 'Think-act cycles.', unit: 'cycles', measure: countOf(({ role }) => role === 'think_act') },
  modelCalls: { description: 'Model calls.', unit: 'model calls', measure: countOf(({ role }) => role === 'llm') },
  toolCalls: {
    description: 'Tool calls that were made.',
    unit: 'tool calls',
    measure: ({ actions }, limit) =>
      counted(
        actions.tool.map(({ node }) => node),
        limit,
      ),
  },
  agents: {
    description: 'Runs of agents.',
    unit: 'runs of agents',
    measure: ({ actions }, limit) =>
      counted(
        actions.agent.map(({ node }) => node),
        limit,
      ),
  },
  identicalCalls: {
    description: 'Calls of one tool with equal arguments, wherever they are in the plan.',
    unit: 'identical calls',
    measure: ({ actions }, limit) => {
      const groups = new Map<string, SpanNode[]>()
      for (const { node, data } of actions.tool) if (data()) appendTo(groups, actionKey(actionOf(node)), node)
      const most = [...groups.values()].reduce<readonly SpanNode[]>((a, b) => (b.length > a.length ? b : a), [])
      return counted(most, limit)
    },
  },
  errors: {
    description: 'Ended spans with an error.',
    unit: 'errors',
    measure: countOf(({ span }) => !span.pending && span.statusCode === 'ERROR'),
  },
  waits: { description: 'Waits for people.', unit: 'waits', measure: countOf(({ role }) => role === 'wait') },
} as const satisfies Readonly<Record<string, Quantity>>

function longest({ span }: SpanNode, nodes: readonly SpanNode[]): bigint {
  const end = nodes.reduce((last, node) => (node.span.endTimeUnixNano > last ? node.span.endTimeUnixNano : last), 0n)
  return end > span.startTimeUnixNano ? end - span.startTimeUnixNano : 0n
}

type QuantityName = keyof typeof QUANTITIES
const NAMES = Object.keys(QUANTITIES) as QuantityName[]

/** `budget`: the highest permitted quantities. */
export const budget = defineKind({
  schema: z
    .strictObject(
      Object.fromEntries(
        NAMES.map((name) => [name, z.number().min(0).exactOptional().describe(QUANTITIES[name].description)]),
      ) as Record<QuantityName, z.ZodExactOptional<z.ZodNumber>>,
    )
    .refine((limits) => Object.keys(limits).length > 0, `sets no limit: set one of ${NAMES.join(', ')}`)
    .describe('The plan stays within these limits.'),
  *check(limits, plan): Generator<Found> {
    for (const name of NAMES) {
      const limit = limits[name]
      if (limit === undefined) continue
      const { unit, measure }: Quantity = QUANTITIES[name]
      const { value, isPartial, node } = measure(plan, limit)
      const most = `at most ${written(limit)} allowed`
      if (value !== undefined && value > limit) yield { text: `${written(value)} ${unit}, ${most}`, node }
      else if (value === undefined) yield { text: `${name} is unknown, ${most}`, outcome: 'undecided' }
      else if (isPartial) yield { text: `at least ${written(value)} ${unit}, ${most}`, outcome: 'undecided' }
    }
  },
})

const written = (value: number): string => String(Number(value.toPrecision(6)))
