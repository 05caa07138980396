import { ATTR, type Role, type Span, spanName } from '../../../src/semconv/index.js'

interface LongPlanOptions {
  readonly steps: number
  /** The cycles of the first step; the middle one failed. */
  readonly cycles: number
}

const BEGIN = BigInt(Date.UTC(2026, 2, 4)) * 1_000_000n
const OWN = { [ATTR.planId]: 'plan-long', [ATTR.planRootId]: 'plan-long', [ATTR.state]: 'completed' }

/** A plan of many steps, with many cycles in the first. */
export function longPlan({ steps, cycles }: LongPlanOptions): Span[] {
  let made = 0
  const span = (
    role: Role,
    parent: string,
    attributes: Span['attributes'],
    statusCode: Span['statusCode'] = 'UNSET',
  ) => ({
    traceId: 'd'.repeat(32),
    spanId: (++made).toString(16).padStart(16, '0'),
    parentSpanId: parent,
    name: spanName(role),
    kind: 'INTERNAL' as const,
    startTimeUnixNano: BEGIN + BigInt(made) * 1_000_000n,
    endTimeUnixNano: BEGIN + BigInt(made + 1) * 1_000_000n,
    statusCode,
    statusMessage: '',
    attributes: { ...OWN, [ATTR.spanKind]: role, ...attributes },
    events: [],
    links: [],
  })
  const titles = Array.from({ length: steps }, (_, index) => `Part ${index + 1} of a long plan`)
  const plan = span('plan', '', { [ATTR.planTitle]: 'A long plan', [ATTR.planSteps]: titles })
  const agents = titles.map((_, index) => span('agent', plan.spanId, { [ATTR.stepIndex]: index }))
  const first = agents[0]?.spanId ?? ''
  const middle = Math.floor(cycles / 2)
  const done = Array.from({ length: cycles }, (_, index) =>
    index === middle
      ? span('think_act', first, { [ATTR.state]: 'failed' }, 'ERROR')
      : span('think_act', first, { [ATTR.actDescription]: `Look at page ${index + 1}` }),
  )
  const others = agents.slice(1).map(({ spanId }) => span('think_act', spanId, {}))
  return [plan, ...agents, ...done, ...others]
}
