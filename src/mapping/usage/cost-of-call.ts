import { ATTR } from '../../semconv/index.js'
import { costOf, type ModelPrice } from './call-cost.js'
import { callTokensOf } from './call-tokens.js'
import type { SpanNode } from '../tree/span-node.js'

/** Returns the cost of a model call, US dollars; undefined where it is not known. */
export type CostOfCall = (call: SpanNode) => number | undefined

/** Prices model calls by the requested model, otherwise by the one that answered. */
export const pricedBy =
  (prices: ReadonlyMap<string, ModelPrice>): CostOfCall =>
  (call) => {
    const { [ATTR.requestModel]: requested, [ATTR.responseModel]: answering } = call.span.attributes
    return costOf(callTokensOf(call), prices.get(requested || answering || ''))
  }
