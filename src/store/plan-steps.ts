import { querySql } from './query.js'
import { fillSql } from './sql-file.js'
import { viewFragments } from './views/fragments.js'

/** The query with `${database}` left open, once it has been asked for. */
let steps: string | undefined

/** A query for the steps of the plans `{planIds:Array(String)}` of the traces `{traceIds:Array(String)}`. */
export function planStepsSql(database: string): string {
  // What it takes of the views is the same over any span table.
  steps ??= fillSql(querySql('plan_steps', {}), viewFragments('plain'))
  return fillSql(steps, { database })
}
