import { PlanspanError } from '../../../error.js'
import type { State } from '../../../semconv/index.js'
import { hashId } from '../../assemble.js'
import type { DialectRecord, EncodeContext } from '../../dialect.js'
import { draft, draftState, type SpanDraft } from '../../draft.js'
import { intForm } from '../../form.js'
import { member, stringOf, type JsonNode, type JsonObject } from '../../json/node.js'
import { compactJson } from '../../json/write.js'
import { readAction } from './action.js'
import { isCrashLine } from './detect.js'
import { readPresent } from './present.js'
import { trajLineShape } from './shapes.js'
import { actionBounds } from './times.js'

type Line = readonly [line: JsonObject, index: number]

/** Lines of one step. */
interface Group {
  readonly stepNumber: number | undefined
  readonly lines: Line[]
}

/** Lines of one run, and its crash. */
interface TrajRun {
  readonly groups: Group[]
  crash?: string
}

/** Reads a traj.jsonl: a line an action. Its first line names it. */
export function encodeTraj(document: JsonNode, { timeZone }: EncodeContext): DialectRecord {
  if (document.kind !== 'array') {
    throw new PlanspanError('invalid_record', `A traj.jsonl is a list of lines, and this is ${document.kind}.`)
  }
  const first = document.items[0]
  const runs = splitLines(document.items)
  const states = runs.map((run, index) => stateOf(run, index === runs.length - 1))
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

/** The runs of a file: one ends with its crash, or where the number of the step falls. */
function splitLines(items: readonly JsonNode[]): TrajRun[] {
  const runs: TrajRun[] = []
  for (const [index, line] of items.entries()) {
    if (line.kind !== 'object') continue
    const read = intForm.read(member(line, 'step_num') ?? line)
    const stepNumber = typeof read === 'number' && Number.isSafeInteger(read) ? read : undefined
    const before = runs.at(-1)
    const group = before?.groups.at(-1)
    const follows =
      before && before.crash === undefined && !((stepNumber ?? Infinity) < (group?.stepNumber ?? -Infinity))
    const run = follows ? before : { groups: [] }
    if (!follows) runs.push(run)
    if (isCrashLine(line)) run.crash = stringOf(member(line, 'Error')) ?? ''
    else if (follows && group && (stepNumber === undefined || stepNumber === group.stepNumber))
      group.lines.push([line, index])
    else run.groups.push({ stepNumber, lines: [[line, index]] })
  }
  return runs
}

/** The last run may still be at work; an earlier one that did not get done was broken off. */
function stateOf({ groups, crash }: TrajRun, isLast: boolean): State {
  if (crash !== undefined) return 'failed'
  const last = groups.at(-1)?.lines.at(-1)?.[0]
  const isTrue = (node: JsonNode | undefined): boolean => node?.kind === 'literal' && node.value === true
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

function groupDraft({ stepNumber, lines }: Group, timeZone: string): SpanDraft {
  return draft('think_act', stepNumber === undefined ? {} : { index: stepNumber - 1 }, {
    every: draftState('completed'),
    children: lines.map(([line, seq], actionIndex) => lineDraft(line, seq, actionIndex, timeZone)),
  })
}

function lineDraft(line: JsonObject, seq: number, actionIndex: number, timeZone: string): SpanDraft {
  const action = readAction(member(line, 'action'))
  const values = readPresent(line, trajLineShape)
  const bounds = actionBounds(values['actionTimestamp'], undefined, { start: undefined, end: undefined }, timeZone)
  return draft(
    'tool',
    { actionIndex, ...(action && { arguments: action.text, actionIsText: action.isText || undefined }), ...values },
    { every: {}, ...bounds, seq, children: [] },
  )
}
