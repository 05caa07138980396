import { PlanspanError } from '../../../error.js'
import type { State } from '../../../semconv/index.js'
import { hashId } from '../../assemble.js'
import type { DialectRecord, EncodeContext } from '../../dialect.js'
import { draft, draftState, type SpanDraft } from '../../draft.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonObject } from '../../json/node.js'
import { compactJson } from '../../json/write.js'
import { eraOf } from './detect.js'
import { isDone, splitRuns, stateOfEnded, type Run } from './runs.js'
import { readPresent, type Values } from './present.js'
import { taskShape, totalsShape } from './shapes.js'
import { stepDraft } from './step.js'
import { readTaskParams } from './task.js'

/** Reads an execution_trajectory.json. Its task and its first step name it. */
export function encodeTrajectory(document: JsonNode, { timeZone }: EncodeContext): DialectRecord {
  if (document.kind !== 'object') {
    throw new PlanspanError('invalid_record', `A trajectory is a JSON object, and this is ${document.kind}.`)
  }
  const era = eraOf(document)
  const task = era === 'flat' ? document : member(document, 'task_metadata')
  const first = itemsOf(member(document, 'steps'))[0]
  const names = [stringOf(member(task, 'task_id')), first && hashId(compactJson(first), 16)].filter((name) => name)
  return {
    era,
    key: names.length > 0 ? names.join('-') : undefined,
    planId: undefined,
    rootPlanId: undefined,
    draft: planDraft(document, task, timeZone),
  }
}

function planDraft(document: JsonObject, task: JsonNode | undefined, timeZone: string): SpanDraft {
  const { totalDurationMinutes: minutes, ...totals } = readPresent(document, totalsShape)
  const { model, taskParams } = readTaskParams(member(task, 'task_params'))
  const actionSpace = stringOf(member(member(task, 'task_params'), 'action_space'))
  const runs = splitRuns(member(document, 'steps'))
  const state = trajectoryState(runs, totals)
  const agents = runs.map((run, index) => {
    const isLast = index === runs.length - 1
    const children = run.steps.map(([step, seq]) => stepDraft(step, seq, { actionSpace, timeZone }))
    return agentDraft(isLast ? model : undefined, isLast ? state : stateOfEnded(run), children)
  })
  if (agents.length === 0 && model !== undefined) agents.push(agentDraft(model, state, []))
  return draft(
    'plan',
    {
      ...readPresent(task, taskShape),
      ...totals,
      taskParams,
      totalDurationMinutes: Object.is(minutes, minutesOf(totals)) ? undefined : asNumber(minutes),
    },
    { every: draftState(state), children: agents },
  )
}

const agentDraft = (modelName: string | undefined, state: State, children: readonly SpanDraft[]): SpanDraft =>
  draft('agent', { modelName }, { every: draftState(state), children })

/** The writer divides, and does not round. */
export const minutesOf = ({ totalDurationSeconds: seconds }: Values): number | undefined =>
  typeof seconds === 'number' ? seconds / 60 : undefined

const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/**
 * A run that ended has totals; those of an earlier run stay in the file when it is run again, so they must count the
 * steps of the last one.
 */
function trajectoryState(runs: readonly Run[], totals: Values): State {
  const last = runs.at(-1)
  if (!last) return totals['totalDurationSeconds'] === undefined ? 'planning' : 'completed'
  if (isDone(last)) return stateOfEnded(last)
  const counted = totals['cumulativeSteps']
  const isOver = totals['totalDurationSeconds'] !== undefined && (counted ?? last.steps.length) === last.steps.length
  return isOver ? 'completed' : 'running'
}
