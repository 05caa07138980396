import { type CostOfCall, outlineFacts, traceFacts, type TraceFacts } from '../mapping/index.js'
import type { KnownTrace } from './known-trace.js'

/** The facts that the mapping decides about a trace, and the reason if they are incomplete. */
export interface DecidedTrace {
  /** Undefined if the mapping can't read the outline either. */
  readonly facts: TraceFacts | undefined
  /** The reason why the trace is indexed by its outline, or not at all; undefined for a whole trace. */
  readonly failure: string | undefined
}

/**
 * Decides the facts of a trace. For a trace that is too large, or that the mapping can't read as a whole, they are
 * decided from its outline: its plans, plannings, agents and waits.
 */
export function decideTrace(
  trace: Pick<KnownTrace, 'planRows' | 'isLarge' | 'maxSpans'>,
  costOf: CostOfCall,
  { whole = traceFacts, outline = outlineFacts } = {},
): DecidedTrace {
  const { planRows: rows, isLarge, maxSpans } = trace
  let failure = `The trace has more than ${maxSpans.toLocaleString('en-US')} spans`
  if (!isLarge) {
    try {
      return { facts: whole(rows, costOf), failure: undefined }
    } catch (error) {
      failure = String(error)
    }
  }
  try {
    return { facts: outline(rows, costOf), failure: `${failure}; it is indexed by its outline.` }
  } catch (error) {
    return { facts: undefined, failure: String(error) }
  }
}
