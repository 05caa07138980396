import { PlanspanError } from '../error.js'
import { generatePlans, type GeneratedPlan } from '../generate/index.js'
import { createSpanSender } from '../sender/index.js'
import { defineCommand } from './command.js'
import { EXIT } from './exit-code.js'
import { endpointOption, resolveEndpoint, wholeNumber } from './options.js'
import { Progress } from './progress.js'
import { SpanBatch } from './span-batch.js'
import { note, print, styled } from './terminal.js'

const MAX_PLANS = 10_000_000
const MAX_DAYS = 3650

/** `planspan generate`: plans that never were, for demos, dashboards and benchmarks. */
export const command = defineCommand({
  options: {
    plans: { type: 'string', valueHint: 'N', required: true, description: 'How many plans' },
    days: { type: 'string', valueHint: 'D', default: '1', description: 'Over how many days they begin' },
    until: { type: 'string', valueHint: 'TIME', description: 'When the days end, ISO 8601 (default: now)' },
    seed: { type: 'string', valueHint: 'S', default: '1', description: 'The same seed and end give the same spans' },
    ...endpointOption,
  },
  async run({ options }) {
    const plans = wholeNumber('plans', options.plans, { min: 1, max: MAX_PLANS }) ?? 1
    const days = wholeNumber('days', options.days, { min: 1, max: MAX_DAYS }) ?? 1
    const until = endOf(options.until)
    const endpoint = resolveEndpoint(options.endpoint)
    const batches = new Batches(`${endpoint}/v1/traces`)
    const progress = new Progress('generating', plans)
    let done = 0
    try {
      for (const plan of generatePlans({ plans, days, until, seed: options.seed })) {
        await batches.add(plan)
        progress.update(++done, `${String(done)} plans, ${String(batches.spans)} spans`)
      }
      const reasons = await batches.finish()
      progress.end()
      if (reasons.length > 0) note(`${styled('red', 'Refused spans')}: ${reasons.join(' ')}`)
      print(
        `${String(done)} plans, ${String(batches.spans)} spans, up to ${new Date(until).toISOString()}, seed ${options.seed}`,
      )
      return reasons.length > 0 ? EXIT.different : EXIT.done
    } finally {
      progress.end()
    }
  },
})

function endOf(text: string | undefined): number {
  const until = text === undefined ? Date.now() : Date.parse(text)
  if (!Number.isNaN(until)) return until
  throw new PlanspanError('usage', `${JSON.stringify(text)} is no time. Give --until as 2026-03-01T12:00:00Z.`)
}

/** A batch of spans for each service, sent when it is full, while the next plans are made. */
class Batches {
  spans = 0
  readonly #url: string
  readonly #lanes = new Map<string, Lane>()

  constructor(url: string) {
    this.#url = url
  }

  /** Resolves when what the service sent before is stored: no more than a batch of it waits. */
  async add({ service, spans }: GeneratedPlan): Promise<void> {
    const lane = this.#laneOf(service)
    await lane.sending
    this.spans += spans.length
    lane.sending = lane.batch.add(spans)
    // A failure is told where the promise is awaited, which may be later.
    lane.sending.catch(() => {})
  }

  /** Sends what waits; why spans were refused. */
  async finish(): Promise<string[]> {
    const results = await Promise.all(
      [...this.#lanes.values()].map(async ({ batch, sending }) => {
        await sending
        return batch.finish()
      }),
    )
    return [...new Set(results.flatMap(({ reasons }) => reasons))]
  }

  #laneOf(serviceName: string): Lane {
    let lane = this.#lanes.get(serviceName)
    if (!lane) {
      const batch = new SpanBatch(createSpanSender({ url: this.#url, serviceName }))
      this.#lanes.set(serviceName, (lane = { batch, sending: Promise.resolve() }))
    }
    return lane
  }
}

interface Lane {
  readonly batch: SpanBatch
  sending: Promise<void>
}
