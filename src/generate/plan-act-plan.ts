import { Clock, type Random } from './random.js'
import { type GeneratedPlan, type PlanSeed, recordPlan } from './generated-plan.js'

const GOALS = [
  'the weather in Oslo',
  'the newest release notes',
  'three cheap laptops',
  'a recipe without eggs',
] as const

const TOOLS = [
  { group: 'search', name: 'info_search_web', medianMs: 900, failureRate: 0.03 },
  { group: 'browser', name: 'browser_navigate', medianMs: 2200, failureRate: 0.08 },
  { group: 'shell', name: 'shell_exec', medianMs: 1500, failureRate: 0.06 },
  { group: 'file', name: 'file_write', medianMs: 60, failureRate: 0.01 },
] as const

type Body = Readonly<Record<string, unknown>> & { readonly type: string }

/** Generates a session as ManusX's events, one per line. */
export function planActPlan({ random, start, until }: PlanSeed): GeneratedPlan {
  const session = new Session(random, new Clock(start, until))
  return recordPlan(session.lines(), 'manus')
}

interface Step {
  readonly id: string
  readonly description: string
  status: string
  result: string | null
  success: boolean
}

class Session {
  readonly #random: Random
  readonly #clock: Clock
  readonly #lines: string[] = []
  readonly #planId: string
  readonly #goal: string

  constructor(random: Random, clock: Clock) {
    this.#random = random
    this.#clock = clock
    this.#planId = random.uuid()
    this.#goal = random.pick(GOALS)
  }

  lines(): string {
    this.#emit({ type: 'message', role: 'user', message: `Find ${this.#goal}.`, attachments: [] })
    this.#clock.pass(this.#random.skewed(2500))
    this.#emit({ type: 'title', title: `Finding ${this.#goal}` })
    const steps = Array.from({ length: this.#random.integer(1, 4) }, (_, index): Step => {
      const id = String(index + 1)
      return { id, description: `Step ${id} of finding ${this.#goal}`, status: 'pending', result: null, success: false }
    })
    this.#plan(steps, 'created')
    for (const step of steps) {
      if (!this.#work(step)) return this.#text()
      this.#clock.pass(this.#random.skewed(1200))
      this.#plan(steps, 'updated')
    }
    this.#emit({ type: 'message', role: 'assistant', message: `Here is ${this.#goal}.`, attachments: [] })
    this.#plan(steps, 'completed')
    this.#emit({ type: 'done' })
    return this.#text()
  }

  #text(): string {
    return this.#lines.map((line) => `${line}\n`).join('')
  }

  /** Works on a step. Returns whether the session continues after it. */
  #work(step: Step): boolean {
    step.status = 'running'
    this.#emit({ type: 'step', step: stepJson(step), status: 'started' })
    const calls = this.#random.integer(1, 4)
    for (let call = 0; call < calls; call++) this.#call()
    if (this.#random.chance(0.05)) {
      this.#emit({ type: 'message', role: 'assistant', message: 'Which of them do you mean?', attachments: [] })
      this.#emit({ type: 'wait' })
      this.#clock.pass(this.#random.skewed(300_000, 1))
      if (this.#clock.isOver || this.#random.chance(0.3)) return false
      this.#emit({ type: 'message', role: 'user', message: 'The second one.', attachments: [] })
      this.#emit({ type: 'step', step: stepJson(step), status: 'started' })
    }
    if (this.#random.chance(0.03)) {
      step.status = 'failed'
      this.#emit({ type: 'step', step: { ...stepJson(step), error: 'Max iterations reached' }, status: 'failed' })
      this.#emit({ type: 'error', error: 'Task error: max iterations reached' })
      return false
    }
    Object.assign(step, { status: 'completed', result: `Found ${this.#goal}`, success: true })
    this.#emit({ type: 'step', step: stepJson(step), status: 'completed' })
    return true
  }

  #call(): void {
    const random = this.#random
    const { group, name, medianMs, failureRate } = random.pick(TOOLS)
    const head = { type: 'tool', tool_call_id: `call_${random.hex(12)}`, tool_name: group }
    const tail = { function_name: name, function_args: { query: this.#goal } }
    this.#clock.pass(random.skewed(1500))
    this.#emit({ ...head, tool_content: null, ...tail, status: 'calling', function_result: null })
    this.#clock.pass(random.skewed(medianMs, 0.8))
    const success = !random.chance(failureRate)
    const result = {
      success,
      message: success ? null : 'The page did not load',
      data: success ? { found: random.integer(0, 9) } : null,
    }
    this.#emit({ ...head, tool_content: null, ...tail, status: 'called', function_result: result })
  }

  #plan(steps: readonly Step[], status: string): void {
    const plan = {
      id: this.#planId,
      title: `Finding ${this.#goal}`,
      goal: `Find ${this.#goal}`,
      language: 'en',
      steps: steps.map(stepJson),
      message: `I will find ${this.#goal}.`,
      status: status === 'created' ? 'pending' : status === 'completed' ? 'completed' : 'running',
      result: null,
      error: null,
    }
    this.#emit({ type: 'plan', plan, status, step: null })
  }

  /** Adds an event, unless the generated period is over. */
  #emit({ type, ...body }: Body): void {
    if (this.#clock.isOver) return
    const timestamp = new Date(this.#clock.now).toISOString().replace('Z', '000')
    this.#lines.push(JSON.stringify({ type, id: this.#random.uuid(), timestamp, ...body }))
    this.#clock.pass(1)
  }
}

const stepJson = ({ id, description, status, result, success }: Step) => ({
  id,
  description,
  status,
  result,
  error: null,
  success,
  attachments: [],
})
