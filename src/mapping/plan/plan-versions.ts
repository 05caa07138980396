import { decodeFields, EVENTS, planFields, planningFields, thinkActFields } from '../../semconv/index.js'
import { type PlanStep, planSteps } from './plan-steps.js'
import { type StepChange, stepChanges } from './step-changes.js'
import { nearest, ownNodes, type SpanNode } from '../tree/index.js'

/** A version of a plan. */
export interface PlanVersion {
  /** The planning, the plan that was started with its steps, or the cycle that recorded the plan it followed. */
  readonly node: SpanNode
  /** When the version took effect, Unix nanoseconds: the end of its planning or, if that has not ended, its start. */
  readonly time: bigint
  readonly planner: string | undefined
  readonly revision: number | undefined
  /** Why the plan was revised. */
  readonly reason: string | undefined
  /** Undefined if there is no list of steps. */
  readonly steps: readonly PlanStep[] | undefined
  /** The text of a plan that is not a list of steps. */
  readonly text: string | undefined
  /** The changes from the previous version. Empty for the first. */
  readonly changes: readonly StepChange[]
}

/** Returns the versions of a plan by time. */
export function planVersions(plan: SpanNode): PlanVersion[] {
  const made = [...listed(plan), ...followed(plan)].sort(byTime)
  let before: readonly PlanStep[] | undefined
  return made.map((version) => {
    const changes = before && version.steps ? stepChanges(before, version.steps) : []
    before = version.steps ?? before
    return { ...version, changes }
  })
}

/** Returns the versions that plannings made or that the plan was started with, by time. */
export const listedVersions = (plan: SpanNode): Version[] => listed(plan).sort(byTime)

export type Version = Omit<PlanVersion, 'changes'>

const byTime = (a: Version, b: Version): number => Number(a.time - b.time)

const listed = (plan: SpanNode): Version[] => [...nearest(plan, 'planning').map(planned), ...begunWith(plan)]

/** Returns the versions in the plan's own events: a plan that is started with its steps has no planning. */
function begunWith(node: SpanNode): Version[] {
  return node.span.events.flatMap(({ name, attributes, timeUnixNano: time }) => {
    if (!VERSION_EVENTS.has(name)) return []
    const { steps, revision } = decodeFields(OF_EVENT, attributes)
    const version = { node, time, planner: undefined, revision, reason: undefined, text: undefined }
    return steps === undefined ? [] : [{ ...version, steps: planSteps({ steps }) }]
  })
}

const VERSION_EVENTS: ReadonlySet<string> = new Set([EVENTS.planCreated, EVENTS.planUpdated])
const OF_EVENT = { steps: planFields.steps, revision: planFields.revision }

function planned(node: SpanNode): Version {
  const { startTimeUnixNano: start, endTimeUnixNano: end, attributes, pending } = node.span
  const { planner, revision, reason, ...lists } = decodeFields(planningFields, attributes)
  const steps = planSteps(lists)
  const time = pending || end < start ? start : end
  return { node, time, planner, revision, reason, steps: steps.length > 0 ? steps : undefined, text: undefined }
}

const { planText, steps, planUpdateNeeded, planUpdateReason, planUpdateGuidance } = thinkActFields
const OF_CYCLE = { planText, steps, planUpdateNeeded, planUpdateReason, planUpdateGuidance }

/** Returns the versions that the cycles of a trajectory followed: one whenever the plan changed or needed an update. */
function followed(plan: SpanNode): Version[] {
  const versions: Version[] = []
  let before = ''
  const cycles = [...ownNodes(plan)].filter(({ role }) => role === 'think_act')
  for (const node of cycles.sort((a, b) => Number(a.span.startTimeUnixNano - b.span.startTimeUnixNano))) {
    const values = decodeFields(OF_CYCLE, node.span.attributes)
    const version = values.steps?.join('\n') ?? values.planText ?? before
    if (version === before && values.planUpdateNeeded !== true) continue
    before = version
    versions.push({
      node,
      time: node.span.startTimeUnixNano,
      planner: undefined,
      revision: undefined,
      reason: values.planUpdateReason ?? values.planUpdateGuidance,
      steps: values.steps && planSteps({ steps: values.steps }),
      text: values.steps ? undefined : values.planText,
    })
  }
  return versions
}
