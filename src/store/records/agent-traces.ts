import { compareGenerations } from '../../mapping/index.js'
import type { QueryTarget } from '../client/query.js'
import { readHeads } from './trace-heads.js'
import { findPlacesOfKeys } from './trace-key.js'

export interface AgentTracesOptions {
  readonly stepIds: readonly string[]
  readonly dialect: string
  /** The source of the imports; '' for those without one. */
  readonly source: string
}

/**
 * Finds the traces of imported records that contain the agents of some steps: the deciding import of each record,
 * newest first.
 */
export async function findAgentTraces(
  target: QueryTarget,
  { stepIds, dialect, source }: AgentTracesOptions,
): Promise<string[]> {
  const heads = await readHeads(target, await findPlacesOfKeys(target, 'step', stepIds))
  const imports = heads.filter((head) => head.dialect === dialect && head.source === source)
  const byRecord = new Map<string, string>()
  for (const { recordKey, traceId } of imports.sort(compareGenerations)) {
    if (!byRecord.has(recordKey)) byRecord.set(recordKey, traceId)
  }
  return [...byRecord.values()]
}
