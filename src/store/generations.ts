import { querySql } from './query.js'

const WHICH = { deciding: '1', superseded: '1, 1000000000' } as const

/**
 * A query that narrows the traces of a `queries/traces.sql` query: to the current generation of each imported record,
 * or to all others.
 */
export const generationsSql = (traces: string, which: keyof typeof WHICH): string =>
  querySql('generations', { traces, which: WHICH[which] })
