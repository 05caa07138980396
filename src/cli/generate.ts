import { PlanspanError } from '../error.js'
import { generatePlans, type GeneratedPlan } from '../generate/index.js'
import { defineCommand } from './command.js'
import { EXIT } from './exit-code.js'
import { wholeNumber } from './option-values.js'
import { Progress } from './output/progress-bar.js'
import { resolveServer, type Server, serverOptions } from './server/resolve-server.js'
import { senderTo, SpanBatch } from './records/span-batch.js'
import { note, print, styled } from './output/terminal.js'

const MAX_PLANS = 10_000_000
const MAX_DAYS = 3650

/** `planspan generate`: generates sample plans for demos, dashboards and benchmarks. */
export const command = defineCommand({
  options: {
    plans: { type: 'string', valueHint: 'N', required: true, description: 'The number of plans' },
    days: { type: 'string', valueHint: 'D', default: '1', description: 'The number of days over which they begin' },
    until: { type: 'string', valueHint: 'TIME', description: 'The end of these days, ISO 8601 (default: now)' },
    seed: {
      type: 'string',
      valueHint: 'S',
      default: '1',
      description: 'The same seed and end generate the same spans',
    },
    json: { type: 'boolean', description: 'The counts as JSON' },
    ...serverOptions,
  },
  async run({ options }) {
    const plans = wholeNumber('plans', options.plans, { min: 1, max: MAX_PLANS }) ?? 1
    const days = wholeNumber('days', options.days, { min: 1, max: MAX_DAYS }) ?? 1
    const until = endOf(options.until)
    const batches = new ServiceBatches(await resolveServer(options))
    const progress = new Progress('generating', plans)
    let done = 0
    try {
      for (const plan of generatePlans({ plans, days, until, seed: options.seed })) {
        await batches.add(plan)
        progress.update(++done, `${String(done)} plans, ${String(batches.spans)} spans`)
      }
      const reasons = await batches.finish()
      progress.end()
      const { spans } = batches
      const end = new Date(until).toISOString()
      if (options.json) print(JSON.stringify({ plans: done, spans, until: end, seed: options.seed, reasons }))
      else {
        if (reasons.length > 0) note(`${styled('red', 'Rejected spans')}: ${reasons.join(' ')}`)
        print(`${String(done)} plans, ${String(spans)} spans, up to ${end}, seed ${options.seed}`)
      }
      return reasons.length > 0 ? EXIT.different : EXIT.done
    } finally {
      progress.end()
    }
  },
})

function endOf(text: string | undefined): number {
  const until = text === undefined ? Date.now() : Date.parse(text)
  if (!Number.isNaN(until)) return until
  throw new PlanspanError('usage', `${JSON.stringify(text)} is not a time. Give --until as 2026-03-01T12:00:00Z.`)
}

/** A batch of spans per service, sent when it is full, while the next plans are generated. */
class ServiceBatches {
  spans = 0
  readonly #server: Server
  readonly #services = new Map<string, Service>()

  constructor(server: Server) {
    this.#server = server
  }

  /** Resolves when the service's previous batch is stored, so that only one of its batches is in memory. */
  async add({ service: name, spans }: GeneratedPlan): Promise<void> {
    const service = this.#serviceOf(name)
    await service.sending
    this.spans += spans.length
    service.sending = service.batch.add(spans)
    // A failure is reported where the promise is awaited, possibly later.
    service.sending.catch(() => {})
  }

  /** Sends the rest. Resolves to the reasons for rejected spans. */
  async finish(): Promise<string[]> {
    const results = await Promise.all(
      [...this.#services.values()].map(async ({ batch, sending }) => {
        await sending
        return batch.finish()
      }),
    )
    return [...new Set(results.flatMap(({ reasons }) => reasons))]
  }

  #serviceOf(serviceName: string): Service {
    let service = this.#services.get(serviceName)
    if (!service) {
      const batch = new SpanBatch(senderTo(this.#server, { serviceName }))
      this.#services.set(serviceName, (service = { batch, sending: Promise.resolve() }))
    }
    return service
  }
}

interface Service {
  readonly batch: SpanBatch
  sending: Promise<void>
}
