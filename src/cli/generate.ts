import { defineCommand } from 'citty'

import { PlanspanError } from '../error.js'
import { generatePlans } from '../generate/index.js'
import { createSpanSender, type SpanSender } from '../tracing/index.js'
import { endpointArg, resolveEndpoint } from './endpoint.js'
import { EXIT, type ExitCode } from './exit-code.js'
import { numberOption } from './number-option.js'
import { Progress } from './progress.js'
import { SpanBatch } from './span-batch.js'
import { note, print, styled } from './terminal.js'

const MAX_PLANS = 10_000_000
const MAX_DAYS = 3650

/** `planspan generate`: plans that never were, for demos, dashboards and benchmarks. */
export const generate = defineCommand({
  meta: { name: 'generate', description: 'Send made-up plans of all systems, for demos, dashboards and benchmarks' },
  args: {
    plans: { type: 'string', valueHint: 'N', required: true, description: 'How many plans' },
    days: { type: 'string', valueHint: 'D', default: '1', description: 'Over how many days they begin' },
    until: { type: 'string', valueHint: 'TIME', description: 'When the days end, ISO 8601 (default: now)' },
    seed: { type: 'string', valueHint: 'S', default: '1', description: 'The same seed and end give the same spans' },
    ...endpointArg,
  },
  async run({ args }): Promise<ExitCode> {
    const plans = numberOption('plans', args.plans, { min: 1, max: MAX_PLANS }) ?? 1
    const days = numberOption('days', args.days, { min: 1, max: MAX_DAYS }) ?? 1
    const until = endOf(args.until)
    const endpoint = resolveEndpoint(args.endpoint)
    const batches = new Batches(`${endpoint}/v1/traces`)
    const progress = new Progress('generating', plans)
    let done = 0
    try {
      for (const plan of generatePlans({ plans, days, until, seed: args.seed })) {
        await batches.of(plan.service).add(plan.spans)
        batches.spans += plan.spans.length
        progress.update(++done, `${String(done)} plans, ${String(batches.spans)} spans`)
      }
      const reasons = await batches.finish()
      progress.end()
      if (reasons.length > 0) note(`${styled('red', 'Refused spans')}: ${reasons.join(' ')}`)
      print(
        `${String(done)} plans, ${String(batches.spans)} spans, up to ${new Date(until).toISOString()}, seed ${args.seed}`,
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

/** A batch of spans for each service, sent when it is full. */
class Batches {
  spans = 0
  readonly #url: string
  readonly #batches = new Map<string, SpanBatch>()

  constructor(url: string) {
    this.#url = url
  }

  of(serviceName: string): SpanBatch {
    let batch = this.#batches.get(serviceName)
    if (!batch) {
      const sender: SpanSender = createSpanSender({ url: this.#url, serviceName })
      this.#batches.set(serviceName, (batch = new SpanBatch(sender)))
    }
    return batch
  }

  /** Sends what waits; why spans were refused. */
  async finish(): Promise<string[]> {
    const results = await Promise.all([...this.#batches.values()].map((batch) => batch.finish()))
    return [...new Set(results.flatMap(({ reasons }) => reasons))]
  }
}
