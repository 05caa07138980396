import { append } from '../../base/append.js'
import { ATTR } from '../../semconv/index.js'
import type { AdoptNode } from './adopt-node.js'
import { above, nearestBelow } from './adopt-node.js'

/** Mastra's attributes for resumed and suspended runs. */
export const MASTRA = {
  resumed: 'mastra.metadata.resumed',
  status: 'mastra.workflow_run.status',
  suspended: 'suspended',
} as const
const STEP_ID = 'mastra.workflow_step.step_id'

/** Whether a plan is a run that resumes a suspended one. */
export const isResumed = ({ span }: AdoptNode): boolean => span.attributes[MASTRA.resumed] === 'true'

export const isSuspended = ({ span }: AdoptNode): boolean => span.attributes[MASTRA.status] === MASTRA.suspended

/**
 * Returns the segments of a suspended plan, in order. Each segment is waiting, or has its end state. The suspended
 * steps become waits that last until the next segment begins.
 */
export function joinRuns(plan: AdoptNode): AdoptNode[] {
  const runs = [plan]
  for (const run of runs) {
    append(
      runs,
      nearestBelow(run).filter((node) => node.kind === 'plan' && isResumed(node)),
    )
  }
  if (!runs.some(isSuspended)) return [plan]
  runs.sort((a, b) => (a.span.startTimeUnixNano < b.span.startTimeUnixNano ? -1 : 1))
  for (const [segment, run] of runs.entries()) {
    if (segment > 0) run.attributes[ATTR.planSegment] = String(segment)
    if (isSuspended(run)) run.attributes[ATTR.state] = 'waiting'
    for (const wait of nearestBelow(run)) {
      if (wait.kind === 'wait' && above(wait) === run) waitUntil(wait, runs[segment + 1])
    }
  }
  return runs
}

function waitUntil(wait: AdoptNode, next: AdoptNode | undefined): void {
  const { endTimeUnixNano: asked, attributes } = wait.span
  const answered = next?.span.startTimeUnixNano
  wait.span = { ...wait.span, startTimeUnixNano: asked, endTimeUnixNano: answered ?? asked }
  wait.attributes[ATTR.waitWaiting] = String(next === undefined)
  wait.attributes[ATTR.state] = next === undefined ? 'waiting' : 'completed'
  const step = attributes[STEP_ID]
  if (step !== undefined) wait.attributes[ATTR.waitTitle] = step
}
