import { type CostOfCall, outlineFacts, traceFacts, type TraceFacts } from '../mapping/index.js'
import type { KnownTrace } from './known-trace.js'

/** What the mapping decides about a trace, and the reason why that is not all. */
export interface DecidedTrace {
  /** Undefined where the mapping can't read the outline either. */
  readonly facts: TraceFacts | undefined
  /** The reason why the trace is indexed by its outline, or not at all; undefined for a whole trace. */
  readonly failure: string | undefined
}

/**
 * Decides all about a trace. A trace that is too large, or that the mapping can't read as a whole, is decided by its
 * outline: its plans, plannings, agents and waits.
 */
export function decideTrace(
  trace: Pick<KnownTrace, 'rows' | 'isLarge' | 'maxSpans'>,
  costOf: CostOfCall,
  { whole = traceFacts, outline = outlineFacts } = {},
): DecidedTrace {
  const { rows, isLarge, maxSpans } = trace
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
