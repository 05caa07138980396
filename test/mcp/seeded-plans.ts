import { ATTR, OPERATIONS, type Role, type Span, spanName } from '../../src/semconv/index.js'

const BEGIN = Date.UTC(2026, 2, 2, 8)
export const STEPS = 40
export const DAY_MS = 86_400_000

type Fields = Partial<Pick<Span, 'statusCode' | 'statusMessage'>>

/** Writes the spans of a plan one after the other, with a clock that the test advances. */
class PlanBook {
  readonly spans: Span[] = []
  now = BEGIN
  readonly #number: number
  readonly #planId: string

  constructor(planId: string, number: number) {
    this.#planId = planId
    this.#number = number
  }

  /** Starts a span and returns the function that ends it. */
  open(role: Role, parent: string, attributes: Span['attributes'] = {}) {
    const { [ATTR.toolName]: tool } = attributes
    const start = this.now
    const at = this.spans.length
    const spanId = `${String(this.#number)}${String(at + 1).padStart(15, '0')}`
    const own = { [ATTR.planId]: this.#planId, [ATTR.planRootId]: this.#planId }
    const ids = { [ATTR.spanKind]: role, [ATTR.operationName]: OPERATIONS[role], ...own }
    const span: Span = {
      traceId: String(this.#number).repeat(32),
      spanId,
      parentSpanId: parent,
      name: spanName(role, typeof tool === 'string' ? tool : undefined),
      kind: 'INTERNAL',
      startTimeUnixNano: BigInt(start) * 1_000_000n,
      endTimeUnixNano: BigInt(start) * 1_000_000n,
      statusCode: 'UNSET',
      statusMessage: '',
      attributes: { ...ids, ...attributes },
      events: [],
      links: [],
    }
    this.spans.push(span)
    return {
      spanId,
      end: (after: number, more: Span['attributes'] = {}, fields: Fields = {}): void => {
        this.now += after
        this.spans[at] = {
          ...span,
          ...fields,
          endTimeUnixNano: BigInt(this.now) * 1_000_000n,
          attributes: { ...span.attributes, ...more },
        }
      },
    }
  }
}

/** Adds to a step's usual work; returning true ends the plan there. */
type Event = (book: PlanBook, cycle: string, tool: (name: string, error?: string) => void) => boolean | void

interface PlanOptions {
  readonly planId: string
  readonly number: number
  readonly title: string
  readonly events?: Readonly<Record<number, Event>>
  readonly cyclesPerStep?: number
  readonly payload?: string
}

/** A plan of 40 steps: an agent each, and in each of its cycles a model call, a guardrail and a tool call. */
export function planOf({ planId, number, title, events = {}, cyclesPerStep = 1, payload = '' }: PlanOptions): Span[] {
  const book = new PlanBook(planId, number)
  const steps = Array.from({ length: STEPS }, (_, step) => `Step ${String(step + 1)}: see to shop ${String(step + 1)}`)
  const plan = book.open('plan', '', { [ATTR.planTitle]: title, [ATTR.agentName]: 'shops', [ATTR.planSteps]: steps })
  let failure: string | undefined
  for (const [index, description] of steps.entries()) {
    const agent = book.open('agent', plan.spanId, {
      [ATTR.agentName]: 'clerk',
      [ATTR.stepIndex]: index,
      [ATTR.stepDescription]: description,
    })
    for (let count = 0; count < cyclesPerStep; count++) {
      const cycle = book.open('think_act', agent.spanId)
      const chat = book.open('llm', cycle.spanId, { [ATTR.requestModel]: 'gpt-4o' })
      chat.end(400, {
        [ATTR.outputMessages]: JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: payload }] }]),
      })
      const judged = book.open('guardrail', cycle.spanId, { [ATTR.riskScore]: 0.1, [ATTR.riskIsSafe]: true })
      judged.end(20)
      const tool = (name: string, error?: string): void => {
        const call = book.open('tool', cycle.spanId, {
          [ATTR.toolName]: name,
          [ATTR.toolCallArguments]: JSON.stringify({ shop: index + 1, payload }),
        })
        if (error === undefined) call.end(200, { [ATTR.toolCallResult]: payload })
        else call.end(200, { [ATTR.errorMessage]: error }, { statusCode: 'ERROR' })
        failure = error
      }
      tool('read_ledger')
      const isOver = count === 0 && events[index + 1]?.(book, cycle.spanId, tool) === true
      const failed: [Span['attributes'], Fields] = isOver
        ? [{ [ATTR.errorMessage]: failure ?? '' }, { statusCode: 'ERROR' }]
        : [{}, {}]
      cycle.end(5, ...failed)
      if (!isOver) continue
      agent.end(5, ...failed)
      plan.end(5, { ...failed[0], [ATTR.state]: 'failed' }, failed[1])
      return book.spans
    }
    agent.end(5, { [ATTR.state]: 'completed' })
  }
  plan.end(5, { [ATTR.state]: 'completed' })
  return book.spans
}

const wait =
  (title: string, milliseconds: number): Event =>
  (book, cycle) => {
    const asked = book.open('wait', cycle, { [ATTR.waitReason]: 'tool_approval', [ATTR.waitTitle]: title })
    asked.end(milliseconds, { [ATTR.waitResolution]: 'approved', [ATTR.waitActor]: 'Ada' })
  }

const judge =
  (name: string, score: number, isTaken: boolean): Event =>
  (book, cycle, tool) => {
    const judged = book.open('guardrail', cycle, {
      [ATTR.riskScore]: score,
      [ATTR.riskIsSafe]: false,
      [ATTR.riskActionName]: name,
      [ATTR.riskExplanation]: `${name} cannot be taken back.`,
      [ATTR.riskViolatedPolicyIds]: ['P7'],
    })
    judged.end(20, isTaken ? {} : { [ATTR.riskActionTaken]: false })
    if (isTaken) tool(name)
  }

const gotOver: Event = (_, __, tool) => {
  tool('list_stock', 'The stock is being counted.')
  tool('list_stock')
}

/** A plan of 10,000 spans with a fault in each step and texts that are long in JSON. */
export function longPlan(planId: string, number: number, payload: string): Span[] {
  const wrong: Event = (book, cycle, tool) => {
    tool('list_stock', `Not now. ${payload}`)
    judge(`wire_${payload.slice(0, 300)}`, 0.8, true)(book, cycle, tool)
    wait(payload, 90_000)(book, cycle, tool)
  }
  const events = Object.fromEntries(Array.from({ length: STEPS }, (_, step) => [step + 1, wrong]))
  return planOf({ planId, number, title: payload, events, payload, cyclesPerStep: 62 })
}

/** The fault of each plan, among irrelevant ones: a recovered error, a short wait, a stopped action. */
export const SEEDED = {
  failing: planOf({
    planId: 'plan-failing',
    number: 1,
    title: 'Close the shops of the north',
    events: {
      3: gotOver,
      5: wait('May I read the ledger?', 90_000),
      6: judge('burn_ledger', 0.9, false),
      7: (_, __, tool) => {
        tool('close_till', 'The till is locked by another user.')
        return true
      },
    },
  }),
  waiting: planOf({
    planId: 'plan-waiting',
    number: 2,
    title: 'Close the shops of the south',
    events: {
      2: wait('May I read the ledger?', 90_000),
      9: gotOver,
      23: wait('May I sell the furniture?', 2 * DAY_MS),
      31: judge('burn_ledger', 0.9, false),
    },
  }),
  unsafe: planOf({
    planId: 'plan-unsafe',
    number: 3,
    title: 'Close the shops of the west',
    events: {
      4: gotOver,
      12: judge('burn_ledger', 0.99, false),
      18: judge('wire_money', 0.8, true),
      30: wait('May I read the ledger?', 90_000),
    },
  }),
}
