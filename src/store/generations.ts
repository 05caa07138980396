import { querySql } from './query.js'
import { fillSql, readSql } from './sql-file.js'

const MERGED_PLANS = readSql('fragments/merged_plans.sql').trimEnd()

/** A query for the traces of rows of `plan_states`, each with its plans. */
export const tracesSql = (database: string, where: string): string =>
  querySql('traces', { merged_plans: fillSql(MERGED_PLANS, { database, where }) })

const WHICH = { deciding: '1', superseded: '1, 1000000000' } as const

/**
 * A query that narrows the traces of `tracesSql`: to the current generation of each imported record,
 * or to all others.
 */
export const generationsSql = (traces: string, which: keyof typeof WHICH): string =>
  querySql('generations', { traces, which: WHICH[which] })
