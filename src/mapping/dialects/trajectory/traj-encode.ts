import { PlanspanError } from '../../../error.js'
import type { State } from '../../../semconv/index.js'
import { isTrue, member, compactJson, hasMember, itemsOf, type JsonNode, type JsonObject } from '../../json/index.js'
import { hashId } from '../../tree/index.js'
import type { DialectRecord, EncodeContext } from '../dialect.js'
import { draft, draftState, type SpanDraft } from '../span-draft.js'
import { readAction } from './action.js'
import { TRAJ_ERA } from './era.js'
import { actionBounds } from './stamps.js'

/** A line with its index in the file, and its content. */
interface Line {
  readonly seq: number
  readonly node: JsonObject
  readonly read: ReturnType<typeof TRAJ_ERA.objects.line.read>
}

/** The lines of one step, counted from 0. */
interface Group {
  readonly step: number | undefined
  readonly lines: Line[]
}

/** The lines of one run, and its crash. */
interface TrajRun {
  readonly groups: Group[]
  crash?: string
}

/** Reads a traj.jsonl, one action per line. Its key is made of its first line. */
export function encodeTraj(document: JsonNode, { timeZone }: EncodeContext): DialectRecord {
  if (document.kind !== 'array') {
    throw new PlanspanError('invalid_record', `Expected a traj.jsonl as a list of lines, got: ${document.kind}.`)
  }
  const first = document.items[0]
  const runs = splitLines(document.items)
  const states = runs.map((run, index) => runState(run, index === runs.length - 1))
  return {
    era: '',
    key: first && hashId(compactJson(first), 32),
    planId: undefined,
    rootPlanId: undefined,
    draft: draft(
      'plan',
      {},
      {
        every: draftState(states.at(-1)),
        children: runs.map((run, index) => runDraft(run, states[index], timeZone)),
      },
    ),
  }
}

/** Splits a file into runs. A run ends with its crash, or before a step number that decreases. */
function splitLines(items: readonly JsonNode[]): TrajRun[] {
  const runs: TrajRun[] = []
  for (const [seq, node] of items.entries()) {
    if (node.kind !== 'object') continue
    const read = TRAJ_ERA.objects.line.read(node)
    const { index } = read.think_act
    const step = Number.isSafeInteger(index) ? index : undefined
    const before = runs.at(-1)
    const group = before?.groups.at(-1)
    const follows = before && before.crash === undefined && !((step ?? Infinity) < (group?.step ?? -Infinity))
    const run = follows ? before : { groups: [] }
    if (!follows) runs.push(run)
    const line = { seq, node, read }
    if (isCrashLine(node)) run.crash = TRAJ_ERA.objects.crash.read(node).agent.errorMessage ?? ''
    else if (follows && group && (step === undefined || step === group.step)) group.lines.push(line)
    else run.groups.push({ step, lines: [line] })
  }
  return runs
}

/** Returns the state of a run. The last may still be running; an earlier unfinished run was interrupted. */
function runState({ groups, crash }: TrajRun, isLast: boolean): State {
  if (crash !== undefined) return 'failed'
  const last = groups.at(-1)?.lines.at(-1)?.node
  if (isTrue(member(last, 'done'))) return isTrue(member(member(last, 'info'), 'fail')) ? 'failed' : 'completed'
  return isLast ? 'running' : 'failed'
}

function runDraft({ groups, crash }: TrajRun, state: State | undefined, timeZone: string): SpanDraft {
  const error = crash === undefined ? {} : { errorMessage: crash, errorType: 'timeout' }
  return draft(
    'agent',
    {},
    {
      every: { ...error, ...draftState(state) },
      children: groups.map((group) => groupDraft(group, timeZone)),
    },
  )
}

function groupDraft({ step, lines }: Group, timeZone: string): SpanDraft {
  return draft(
    'think_act',
    { index: step },
    {
      every: draftState('completed'),
      children: lines.map((line, actionIndex) => lineDraft(line, actionIndex, timeZone)),
    },
  )
}

function lineDraft({ seq, read }: Line, actionIndex: number, timeZone: string): SpanDraft {
  const { tool: values, parts } = read
  const action = readAction(parts.action)
  return draft(
    'tool',
    { actionIndex, arguments: action?.text, actionIsText: action?.isText || undefined, ...values },
    { every: {}, ...actionBounds(values.actionTimestamp, undefined, {}, timeZone), seq, children: [] },
  )
}

/** Whether a document is an execution_trajectory.json: a list of steps with SafePred's other keys. */
export function isTrajectory(node: JsonNode): boolean {
  const steps = member(node, 'steps')
  if (steps?.kind !== 'array') return false
  const isWritten = ['task_metadata', 'total_duration_seconds', 'cumulative_stats'].some((key) => hasMember(node, key))
  return isWritten || hasMember(itemsOf(steps)[0], 'step_idx')
}

/** Whether a line belongs to a traj.jsonl: an action, or the crash of its run. */
export function isTrajLine(node: JsonNode): boolean {
  if (isCrashLine(node)) return true
  return hasMember(node, 'step_num') && hasMember(node, 'action') && hasMember(node, 'action_timestamp')
}

const isCrashLine = (node: JsonNode): boolean =>
  node.kind === 'object' && node.members.length === 1 && member(node, 'Error')?.kind === 'string'
