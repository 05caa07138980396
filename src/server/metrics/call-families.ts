import { ATTR, OPERATIONS } from '../../semconv/index.js'
import type { CallTotal } from '../../store/metrics/index.js'
import type { Family, Labels } from './exposition.js'

/** The conventions' own metrics of model calls, as Prometheus names them. */
export function callFamilies(totals: readonly CallTotal[]): Family[] {
  const durations = totals.filter(({ measure }) => measure === 'duration')
  const tokens = totals.filter(({ measure }) => measure !== 'duration')
  return [
    {
      name: 'gen_ai_client_operation_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'How long model calls took, each counted once, of all that were ever stored.',
      samples: durations.map((one) => [{ ...labelsOf(one), [labelOf(ATTR.errorType)]: one.errorType }, one.sizes]),
    },
    {
      name: 'gen_ai_client_token_usage',
      type: 'histogram',
      help: 'The tokens of these calls that tell them.',
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
