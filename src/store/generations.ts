import { querySql } from './query.js'

const WHICH = { deciding: '1', superseded: '1, 1000000000' } as const

/**
 * A query of the traces that a query of `queries/traces.sql` gives: of several generations of one imported record the
 * deciding one, or all others.
 */
export const generationsSql = (traces: string, which: keyof typeof WHICH): string =>
  querySql('generations', { traces, which: WHICH[which] })
