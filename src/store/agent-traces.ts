import { generationsSql, tracesSql } from './generations.js'
import { querySql, readRows, type QueryTarget } from './query.js'

export interface AgentTracesOptions {
  readonly stepIds: readonly string[]
  readonly dialect: string
  /** The source of the imports; '' for those without one. */
  readonly source: string
}

/**
 * Finds the traces of imported records that contain the agents of some steps: each record's last generation, newest
 * first.
 */
export async function findAgentTraces(
  target: QueryTarget,
  { stepIds, dialect, source }: AgentTracesOptions,
): Promise<string[]> {
  const { database } = target
  const found = `SELECT TraceId FROM ${database}.plan_keys WHERE Kind = 'step' AND Key IN {stepIds:Array(String)}`
  const traces = tracesSql(database, `TraceId GLOBAL IN (${found})`)
  const generations = generationsSql(traces, 'deciding')
  const rows = await readRows<{ traceId: string }>(target, querySql('agent_traces', { generations }), {
    stepIds: [...stepIds],
    dialect,
    source,
  })
  return rows.map(({ traceId }) => traceId)
}
