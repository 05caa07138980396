import { ATTR, OPERATIONS } from '../../semconv/index.js'
import type { CallTotal } from './call-meter.js'
import type { Family, Labels } from './exposition.js'

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
