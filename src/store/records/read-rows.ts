import { type AnyField, ATTR, EVENTS, FIELD_TABLES, type Role } from '../../semconv/index.js'
import { querySql, streamBytes, type QueryTarget } from '../client/query.js'
import { NEAR_SPAN, ON_TOP } from './rows-among.js'
import { fillSql, listLiteral } from '../client/sql-file.js'
import { findPlacesOfKeys } from './trace-key.js'
import { findPlaces, inPlaces, type TracePlace } from './trace-places.js'

/** What a row holds beside its columns, as SQL over a `span`. */
interface Content {
  /** Which of the rows. @default all */
  readonly among?: string
  readonly resource: string
  readonly attributes: string
  readonly times: string
  readonly names: string
  readonly details: string
}

export const WHOLE: Content = {
  resource: 'span.ResourceAttributes',
  attributes: 'span.SpanAttributes',
  times: 'span.`Events.Timestamp`',
  names: 'span.`Events.Name`',
  details: 'span.`Events.Attributes`',
}

/** Of these a long plan has many, and no other span takes over what they say. */
const MANY: readonly Role[] = ['think_act', 'llm', 'guardrail', 'tool']

const isOf = (roles: readonly Role[]): string => `span.Role IN ${listLiteral(roles)}`

/** Which of the spans that a plan has many of are whole nonetheless. */
const EXCEPT = {
  one: 'span.Span = {spanId:String}',
  faults: `(span.StatusCode = 'Error' OR span.Role = 'guardrail' OR has(span.\`Events.Name\`, '${EVENTS.exception}'))`,
}

/** What these were given and answered is no action, beside the tool calls that they asked for. */
const IS_TALK = isOf(['think_act', 'llm', 'guardrail'])

/** The characters of a value that are kept. */
const KEPT = 300

/** A call that a guardrail stopped is known from these alone. */
const TELLS_OF_CALLS = `key = '${ATTR.riskStoppedCalls}' OR (key = '${ATTR.outputMessages}' AND position(value, '"tool_call"') > 0)`

const TELLS_OF_ACTIONS = `key IN ('${ATTR.errorMessage}', '${ATTR.toolCallArguments}', '${ATTR.riskViolatedPolicyIds}') OR ${TELLS_OF_CALLS}`

/** What cycles tell of the plan that they followed. */
const OF_PLANS: readonly string[] = [ATTR.planSteps, ATTR.planText, ATTR.planUpdateReason, ATTR.planUpdateGuidance]

const TELLS_OF_PLANS = `key IN ${listLiteral(OF_PLANS)}`

interface Shortening {
  /** The keys of values that stay whole. */
  readonly unless?: string
  /** What is to stand behind the beginning of a value. */
  readonly behind?: string
  /** The attributes that are kept. */
  readonly of?: string
}

const beginnings = ({ unless = TELLS_OF_CALLS, behind = "''", of = WHOLE.attributes }: Shortening): string =>
  `mapApply((key, value) -> (key, if(length(value) > ${String(KEPT)} AND NOT (${unless}), concat(substringUTF8(value, 1, ${String(KEPT)}), ${behind}), value)), ${of})`

/** Tells of a long value whether it holds a text: it is said once more behind its beginning. */
const TELLS_THAT_IT_HOLDS = `if(multiSearchAnyCaseInsensitiveUTF8(value, {writings:Array(String)}), {writings:Array(String)}[1], '')`

/** What of that which was said and done a tree shows, or is made of. */
const SHOWN: ReadonlySet<string> = new Set([
  ATTR.actDescription,
  ATTR.inputMessages,
  ATTR.outputMessages,
  ATTR.riskExplanation,
  ATTR.riskStoppedCalls,
  ATTR.toolCallArguments,
])

const CONTENT = new Set(
  MANY.flatMap((role) => Object.values<AnyField>(FIELD_TABLES[role]))
    .filter(({ content }) => content)
    .map(({ key }) => key),
)

const HIDDEN = new Set([...CONTENT].filter((key) => !SHOWN.has(key)))

const without = (keys: readonly string[]): string =>
  `mapFilter((key, value) -> key NOT IN ${listLiteral(keys)}, ${WHOLE.attributes})`

const NO_RESOURCE = 'mapFilter((key, value) -> false, span.ResourceAttributes)'

function shortened(except: string, shortening: Shortening = {}, roles = MANY): Content {
  const either = (short: string, whole: string): string => `if(${isOf(roles)} AND NOT ${except}, ${short}, ${whole})`
  return {
    resource: either(NO_RESOURCE, WHOLE.resource),
    attributes: either(beginnings(shortening), WHOLE.attributes),
    times: either('[]', WHOLE.times),
    names: either('[]', WHOLE.names),
    details: either('[]', WHOLE.details),
  }
}

/** What rows hold. Of cycles, calls and guardrails most values are shortened to their beginnings. */
const CONTENTS = {
  whole: WHOLE,
  /** The beginnings that a tree shows. */
  tree: shortened('false', { of: without([...HIDDEN]) }),
  /** `tree`, with all of one span. If other spans say nothing about it, only the spans near it. */
  one: { ...shortened(EXCEPT.one, { of: without([...HIDDEN]) }), among: NEAR_SPAN },
  /** `tree`, with the plan that each cycle followed. */
  outline: shortened('false', {
    unless: `${TELLS_OF_PLANS} OR ${TELLS_OF_CALLS}`,
    of: without([...HIDDEN].filter((key) => !OF_PLANS.includes(key))),
  }),
  /** The outermost plans of long traces, with their plannings, agents and waits. */
  top: {
    ...shortened('false', {}, ['agent']),
    among: ON_TOP,
  },
  /** All of what failed, and of guardrails. */
  faults: shortened(EXCEPT.faults),
  /** The beginnings, and whether one of some `writings` of a text is in what was cut off. */
  matches: shortened('false', { behind: TELLS_THAT_IT_HOLDS }),
  /** The beginnings, with the plan that each cycle followed. */
  plans: shortened('false', { unless: TELLS_OF_PLANS }),
  /** All that was done; only the beginnings of messages to and from models and guardrails. */
  actions: {
    ...WHOLE,
    resource: `if(${IS_TALK}, ${NO_RESOURCE}, ${WHOLE.resource})`,
    attributes: `if(${IS_TALK}, ${beginnings({ unless: TELLS_OF_ACTIONS })}, ${WHOLE.attributes})`,
  },
} as const satisfies Record<string, Content>

/** Which rows are read, and how much of each. @see CONTENTS */
export type RowsRead =
  | { readonly rows: 'whole' | 'tree' | 'outline' | 'top' | 'faults' | 'plans' | 'actions' }
  | { readonly rows: 'one'; readonly spanId: string }
  | { readonly rows: 'matches'; readonly writings: readonly string[] }

/** Streams the rows of traces. */
export async function* streamRows(
  target: QueryTarget,
  traceIds: readonly string[],
  { rows, ...parameters }: RowsRead = { rows: 'whole' },
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* streamPlaces(target, await findPlaces(target, traceIds), CONTENTS[rows], parameters)
}

/** Streams the whole rows of the trace that has a plan or sub-plan; none where several have it. */
export async function* streamOnlyTrace(
  target: QueryTarget,
  planId: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const places = await findPlacesOfKeys(target, 'plan', [planId])
  if (places.length === 1) yield* streamPlaces(target, places)
}

/** Streams rows of traces whose hours are known. */
export async function* streamPlaces(
  target: QueryTarget,
  places: readonly TracePlace[],
  content: Content = WHOLE,
  parameters: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  if (places.length === 0) return
  const { database } = target
  const parts = { database, in_places: inPlaces(places) }
  const among = fillSql(content.among ?? 'true', parts)
  yield* streamBytes(target, querySql('read_traces', { ...parts, ...content, among, more: '' }), parameters)
}
