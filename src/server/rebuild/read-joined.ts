import { joinAgents, stepsWithoutCycles } from '../../mapping/index.js'
import { type StoredSpan } from '../../semconv/index.js'
import type { SelectedTrace, SpanReader } from '../../store/index.js'

/** The only dialect that keeps an agent's cycles in a document of their own. */
const DIALECT = 'plan-execution'

/**
 * Reads the spans of a trace, together with the cycles of its agents that other records of the same source hold. Throws
 * as the reader does.
 */
export async function readJoined(
  reader: Pick<SpanReader, 'readTrace' | 'findAgentTraces'>,
  { traceId, live, dialect, source }: SelectedTrace,
): Promise<readonly StoredSpan[]> {
  let spans: readonly StoredSpan[] = await reader.readTrace(traceId)
  if (live || dialect !== DIALECT) return spans
  const asked = new Set<string>()
  for (;;) {
    const stepIds = stepsWithoutCycles(spans).filter((stepId) => !asked.has(stepId))
    if (stepIds.length === 0) return spans
    for (const stepId of stepIds) asked.add(stepId)
    for (const donor of await reader.findAgentTraces({ stepIds, dialect, source })) {
      if (donor !== traceId) spans = joinAgents(spans, await reader.readTrace(donor))
    }
  }
}
