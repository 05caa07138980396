import { draft, type SpanDraft } from '../mapping/index.js'
import type { Clock, Random } from './random.js'
import type { Model } from './scenario.js'

/** The tokens of a plan's model calls so far. */
export interface Usage {
  input: number
  output: number
}

interface ModelCall {
  readonly random: Random
  readonly clock: Clock
  readonly model: Model
  /** The median of the duration, milliseconds. */
  readonly median: number
  readonly usage: Usage
  readonly input?: string | undefined
  readonly output?: string | undefined
  readonly source?: string | undefined
}

/** Generates a model call. Undefined if it does not end in time, because then nothing is recorded. */
export function modelCall({
  random,
  clock,
  model,
  median,
  usage,
  input,
  output,
  source,
}: ModelCall): SpanDraft | undefined {
  const start = clock.nanos
  clock.pass(random.skewed(median))
  if (clock.isOver) return undefined
  const inputTokens = Math.round(random.skewed(1800, 0.6))
  const outputTokens = Math.round(random.skewed(220, 0.7))
  usage.input += inputTokens
  usage.output += outputTokens
  const cacheReadTokens = random.chance(0.4) ? Math.round(inputTokens * 0.6) : undefined
  return draft(
    'llm',
    {
      model: model.name,
      provider: model.provider,
      responseModel: model.name,
      finishReasons: ['stop'],
      inputTokens,
      outputTokens,
      cacheReadTokens,
      usageSource: source,
      input,
      output,
    },
    { subject: model.name, every: {}, start, end: clock.nanos, children: [] },
  )
}

/** The error fields of a span. */
export const failed = (error: readonly [type: string, message: string] | undefined) =>
  error === undefined ? {} : { errorType: error[0], errorMessage: error[1] }

export const fill = (template: string, subject: string): string => template.replace('{}', subject)
