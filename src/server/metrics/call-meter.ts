import type { EndedCalls } from '../../indexer/index.js'
import { UNTYPED_ERROR, ATTR, OPERATIONS } from '../../semconv/index.js'
import { Histogram, type HistogramValue } from '../../store/metrics/index.js'
import type { Family, Labels } from './exposition.js'

/** The recommended bounds of `gen_ai.client.operation.duration`, seconds. */
const DURATION_BOUNDS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)

/** The recommended bounds of `gen_ai.client.token.usage`. */
const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, power) => 4 ** power)

/** The quantity of a histogram: how long calls took, or how many tokens of a kind they used. */
type Measure = 'duration' | 'input' | 'output'

/** All counted calls with the same attributes. */
interface CallTotal {
  readonly measure: Measure
  readonly provider: string
  readonly model: string
  readonly responseModel: string
  /** Empty for token counts. */
  readonly errorType: string
  /** Seconds or tokens. */
  readonly sizes: HistogramValue
}

/** The maximum number of separate sets of attributes per measure: names come from the senders of spans. */
const MAX_SETS = 1000
const MAX_NAME_LENGTH = 200
const NANOSECONDS = 1_000_000_000
const OTHER = { provider: UNTYPED_ERROR, model: UNTYPED_ERROR, responseModel: UNTYPED_ERROR, errorType: UNTYPED_ERROR }

type Attributes = Omit<CallTotal, 'measure' | 'sizes'>

/** Counts the model calls that end while the process runs. */
export class CallMeter {
  readonly #measures: Readonly<Record<Measure, Map<string, { attributes: Attributes; sizes: Histogram }>>> = {
    duration: new Map(),
    input: new Map(),
    output: new Map(),
  }

  /** Counts calls. Each call must be passed once. */
  count(groups: readonly EndedCalls[]): void {
    for (const { durations, inputTokens, outputTokens, errorType, ...names } of groups) {
      const own = { ...names, errorType }
      this.#observe(
        'duration',
        own,
        durations.map((nanoseconds) => nanoseconds / NANOSECONDS),
      )
      this.#observe('input', { ...own, errorType: '' }, inputTokens)
      this.#observe('output', { ...own, errorType: '' }, outputTokens)
    }
  }

  get totals(): CallTotal[] {
    return Object.entries(this.#measures).flatMap(([measure, sets]) =>
      [...sets.values()].map(({ attributes, sizes }) => ({
        measure: measure as Measure,
        ...attributes,
        sizes: sizes.value,
      })),
    )
  }

  #observe(measure: Measure, names: Attributes, sizes: readonly number[]): void {
    if (sizes.length === 0) return
    const sets = this.#measures[measure]
    const own = {
      provider: shortened(names.provider),
      model: shortened(names.model),
      responseModel: shortened(names.responseModel),
      errorType: shortened(names.errorType),
    }
    const attributes = sets.has(keyOf(own)) || sets.size < MAX_SETS ? own : OTHER
    const key = keyOf(attributes)
    const set = sets.get(key) ?? {
      attributes,
      sizes: new Histogram(measure === 'duration' ? DURATION_BOUNDS : TOKEN_BOUNDS),
    }
    sets.set(key, set)
    for (const size of sizes) set.sizes.observe(Math.max(size, 0))
  }
}

const shortened = (name: string): string => (name.length > MAX_NAME_LENGTH ? name.slice(0, MAX_NAME_LENGTH) : name)

const keyOf = ({ provider, model, responseModel, errorType }: Attributes): string =>
  JSON.stringify([provider, model, responseModel, errorType])

/** The metrics of model calls of the GenAI conventions, under their Prometheus names. */
export function callFamilies(totals: readonly CallTotal[]): Family[] {
  const durations = totals.filter(({ measure }) => measure === 'duration')
  const tokens = totals.filter(({ measure }) => measure !== 'duration')
  return [
    {
      name: 'gen_ai_client_operation_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'How long model calls took that ended since the process started; each call counts once.',
      samples: durations.map((one) => [{ ...labelsOf(one), [labelOf(ATTR.errorType)]: one.errorType }, one.sizes]),
    },
    {
      name: 'gen_ai_client_token_usage',
      type: 'histogram',
      help: 'The tokens of these calls, where they are known.',
      samples: tokens.map((one) => [{ ...labelsOf(one), gen_ai_token_type: one.measure }, one.sizes]),
    },
  ]
}

const labelsOf = ({ provider, model, responseModel }: CallTotal): Labels => ({
  [labelOf(ATTR.operationName)]: OPERATIONS.llm,
  [labelOf(ATTR.providerName)]: provider,
  [labelOf(ATTR.requestModel)]: model,
  [labelOf(ATTR.responseModel)]: responseModel,
})

const labelOf = (attribute: string): string => attribute.replaceAll('.', '_')
