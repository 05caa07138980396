import { PlanspanError } from '../../../error.js'
import type { State } from '../../../semconv/index.js'
import { hashId } from '../../tree/index.js'
import type { DialectRecord, EncodeContext } from '../dialect.js'
import { draft, draftState, type SpanDraft } from '../span-draft.js'
import { itemsOf, member, stringOf, type JsonNode, compactJson } from '../../json/index.js'
import type { HomeValues, Parts } from '../../record-object/index.js'
import { eraOf, ERAS } from './era.js'
import type { NESTED } from './properties.js'
import { isTaskDone, splitRuns, stateOfEnded, type Run } from './runs.js'
import { stepDraft } from './step-draft.js'
import { readTaskParams } from './task.js'

/** Reads an execution_trajectory.json. Its key is made of its task and its first step. */
export function encodeTrajectory(document: JsonNode, { timeZone }: EncodeContext): DialectRecord {
  if (document.kind !== 'object') {
    throw new PlanspanError('invalid_record', `Expected a trajectory as a JSON object, got: ${document.kind}.`)
  }
  const era = eraOf(document)
  const { plan: values, parts } = ERAS[era].objects.document.read(document)
  const first = itemsOf(parts.steps)[0]
  const names = [values.taskId, first && hashId(compactJson(first), 16)].filter((name) => name)
  return {
    era,
    key: names.length > 0 ? names.join('-') : undefined,
    planId: undefined,
    rootPlanId: undefined,
    draft: planDraft(values, parts, timeZone),
  }
}

function planDraft(values: HomeValues<'plan'>, parts: Parts<typeof NESTED>, timeZone: string): SpanDraft {
  const { model, taskParams } = readTaskParams(parts.task_params)
  const actionSpace = stringOf(member(parts.task_params, 'action_space'))
  const runs = splitRuns(parts.steps)
  const state = trajectoryState(runs, values)
  const agents = runs.map((run, index) => {
    const isLast = index === runs.length - 1
    const children = run.steps.map(([step, seq]) => stepDraft(step, seq, { actionSpace, timeZone }))
    return agentDraft(isLast ? model : undefined, isLast ? state : stateOfEnded(run), children)
  })
  if (agents.length === 0 && model !== undefined) agents.push(agentDraft(model, state, []))
  return draft('plan', { ...values, taskParams }, { every: draftState(state), children: agents })
}

const agentDraft = (modelName: string | undefined, state: State, children: readonly SpanDraft[]): SpanDraft =>
  draft('agent', { modelName }, { every: draftState(state), children })

/**
 * Returns the state of a trajectory. A run that ended has totals. Those of an earlier run stay in the file when the
 * task runs again, so they count only if they match the steps of the last run.
 */
function trajectoryState(runs: readonly Run[], { totalDurationSeconds, cumulativeSteps }: HomeValues<'plan'>): State {
  const last = runs.at(-1)
  if (!last) return totalDurationSeconds === undefined ? 'planning' : 'completed'
  if (isTaskDone(last)) return stateOfEnded(last)
  const isOver = totalDurationSeconds !== undefined && (cumulativeSteps ?? last.steps.length) === last.steps.length
  return isOver ? 'completed' : 'running'
}
