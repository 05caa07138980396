import { ATTR, EVENTS, FIELD_TABLES, isOver, PENDING, STATES, type AnyField, type Role } from '../../semconv/index.js'
import { querySql, streamBytes, type QueryTarget } from '../client/query.js'
import { fillSql, listLiteral, readSql, literal } from '../client/sql-file.js'
import { attributeText } from '../schema/stored-columns.js'
import { findPlanPlaces } from './linked-traces.js'
import { streamLostRows } from './lost-rows.js'
import { findPlacesOfKeys, inPlaces, type TracePlace } from './trace-places.js'

/** The number of rows from which a trace is long. */
const LONG = 2_000

const TOP: readonly Role[] = ['plan', 'planning', 'agent', 'wait']

/** Selects outermost plans with their plannings, agents and waits, in long traces only. */
const ON_TOP = [
  `span.Role IN ${listLiteral(TOP)}`,
  `${attributeText(ATTR.planId)} = ${attributeText(ATTR.planRootId)}`,
  `(SELECT count() >= ${String(LONG)} FROM \${database}.otel_traces WHERE \${in_places})`,
].join(' AND ')

const UNENDED = STATES.filter((state) => !isOver(state))

const NEAR = fillSql(readSql('fragments/near_span.sql').trimEnd(), {
  is_settled: `SpanId = {spanId:String} AND SpanState != ${literal(PENDING)} AND State NOT IN ${listLiteral(UNENDED)}`,
})

/** Selects a span `{spanId:String}` and the spans that describe it; all spans if any might. */
const NEAR_SPAN = `(empty((${NEAR} AS near).1) OR has(near.1, Span) OR (near.2 != '' AND Parent = near.2))`

/** The content of a row beside its plain columns, as SQL over `span`. */
interface Content {
  /** The condition on rows. @default all */
  readonly among?: string
  readonly resource: string
  readonly attributes: string
  readonly times: string
  readonly names: string
  readonly details: string
}

const NO_PLANS: ReadonlyMap<string, string> = new Map()

/** The first trace of the plan that goes on in a trace; an empty text for other traces. */
const planTrace = (planOf: ReadonlyMap<string, string>): string =>
  `transform(TraceId, ${listLiteral([...planOf.keys()])}, ${listLiteral([...planOf.values()])}, '')`

export const WHOLE: Content = {
  resource: 'span.ResourceAttributes',
  attributes: 'span.SpanAttributes',
  times: 'span.`Events.Timestamp`',
  names: 'span.`Events.Name`',
  details: 'span.`Events.Attributes`',
}

/** The roles with many spans in a long plan. No other span needs their content. */
const MANY: readonly Role[] = ['think_act', 'llm', 'guardrail', 'tool']

const isOf = (roles: readonly Role[]): string => `span.Role IN ${listLiteral(roles)}`

/** The spans of these roles that are read whole nonetheless. */
const EXCEPT = {
  one: 'span.Span = {spanId:String}',
  errors: `(span.StatusCode = 'Error' OR has(span.\`Events.Name\`, '${EVENTS.exception}'))`,
  faults: `(span.StatusCode = 'Error' OR span.Role = 'guardrail' OR has(span.\`Events.Name\`, '${EVENTS.exception}'))`,
}

/** Spans whose messages are no actions, except the tool calls that they contain. */
const IS_CONVERSATION = isOf(['think_act', 'llm', 'guardrail'])

/** The length of a shortened value, characters. */
const KEPT = 300

/** The only attributes that contain a call that a guardrail stopped. */
const DESCRIBES_CALLS = `key = '${ATTR.riskStoppedCalls}' OR (key = '${ATTR.outputMessages}' AND position(value, '"tool_call"') > 0)`

const DESCRIBES_ACTIONS = `key IN ('${ATTR.errorMessage}', '${ATTR.toolCallArguments}', '${ATTR.riskActionArguments}', '${ATTR.riskViolatedPolicyIds}') OR ${DESCRIBES_CALLS}`

/** Attributes of cycles that describe the plan they followed. */
const OF_PLANS: readonly string[] = [ATTR.planSteps, ATTR.planText, ATTR.planUpdateReason, ATTR.planUpdateGuidance]

const DESCRIBES_PLANS = `key IN ${listLiteral(OF_PLANS)}`

interface Shortening {
  /** The keys of values that stay whole. */
  readonly unless?: string
  /** Text to append to a shortened value. */
  readonly behind?: string
  /** The attributes to shorten. */
  readonly of?: string
}

/** The attributes that say which plan a span belongs to. */
const IDENTIFIES = `key IN ${listLiteral([ATTR.planId, ATTR.planRootId])}`

/** Messages stay whole, because the message of a failure is compared with those of the spans above. */
const DESCRIBES_TREE = `${DESCRIBES_CALLS} OR key = '${ATTR.errorMessage}'`

const beginnings = ({ unless = DESCRIBES_CALLS, behind = "''", of = WHOLE.attributes }: Shortening): string =>
  `mapApply((key, value) -> (key, if(length(value) > ${String(KEPT)} AND NOT (${IDENTIFIES} OR ${unless}), concat(substringUTF8(value, 1, ${String(KEPT)}), ${behind}), value)), ${of})`

/** Appends the searched text to a shortened value if the whole value contains it. */
const APPEND_MATCH = `if(multiSearchAnyCaseInsensitiveUTF8(value, {writings:Array(String)}), {writings:Array(String)}[1], '')`

/** Content attributes that a tree shows, or from which it is built. */
const SHOWN: ReadonlySet<string> = new Set([
  ATTR.actDescription,
  ATTR.errorMessage,
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

function shortened(
  except: string,
  shortening: Shortening = {},
  { roles = MANY, whole = WHOLE.attributes } = {},
): Content {
  const either = (short: string, whole: string): string => `if(${isOf(roles)} AND NOT ${except}, ${short}, ${whole})`
  return {
    resource: either(NO_RESOURCE, WHOLE.resource),
    attributes: either(beginnings(shortening), whole),
    times: either('[]', WHOLE.times),
    names: either('[]', WHOLE.names),
    details: either('[]', WHOLE.details),
  }
}

/** The kinds of content. Most values of cycles, calls and guardrails are shortened. */
const CONTENTS = {
  whole: WHOLE,
  /** The beginnings that a tree shows; failed spans whole. */
  tree: shortened(EXCEPT.errors, { unless: DESCRIBES_TREE, of: without([...HIDDEN]) }),
  /** `tree`, with one span whole; only the spans near it if no other span describes it. */
  one: { ...shortened(EXCEPT.one, { of: without([...HIDDEN]) }), among: NEAR_SPAN },
  /** `tree`, with the plan that each cycle followed. */
  outline: shortened(EXCEPT.errors, {
    unless: `${DESCRIBES_PLANS} OR ${DESCRIBES_TREE}`,
    of: without([...HIDDEN].filter((key) => !OF_PLANS.includes(key))),
  }),
  /** The outermost plans of long traces, with their plannings, agents and waits. */
  top: {
    ...shortened('false', {}, { roles: ['agent'] }),
    among: ON_TOP,
  },
  /** Failed spans and guardrails whole, except arguments, which are compared. */
  faults: shortened(EXCEPT.faults, {}, { whole: beginnings({ unless: `key != '${ATTR.toolCallArguments}'` }) }),
  /** Shortened values, with a searched text appended if the removed part contains one of its `writings`. */
  matches: shortened('false', { behind: APPEND_MATCH }),
  /** Shortened values, with the plan that each cycle followed. */
  plans: shortened('false', { unless: DESCRIBES_PLANS }),
  /** All actions; messages of models and guardrails are shortened. */
  actions: {
    ...WHOLE,
    resource: `if(${IS_CONVERSATION}, ${NO_RESOURCE}, ${WHOLE.resource})`,
    attributes: `if(${IS_CONVERSATION}, ${beginnings({ unless: DESCRIBES_ACTIONS })}, ${WHOLE.attributes})`,
  },
} as const satisfies Record<string, Content>

/** The rows to read, and the content to read of each. @see CONTENTS */
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
  const { places, planOf } = await findPlanPlaces(target, traceIds)
  const found = streamPlaces(target, places, CONTENTS[rows], { parameters, planOf })
  yield* orLost(target, traceIds, found, CONTENTS[rows])
}

/** Streams rows. If there are none, and all spans are asked for, streams what the indexer has kept of the traces. */
async function* orLost(
  target: QueryTarget,
  traceIds: readonly string[],
  rows: AsyncIterable<Uint8Array>,
  { among }: Content,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isEmpty = true
  for await (const piece of rows) {
    if (piece.length > 0) isEmpty = false
    yield piece
  }
  if (isEmpty && among === undefined) yield* streamLostRows(target, traceIds)
}

/** Streams the whole rows of the only trace with a plan or sub-plan; no rows if several traces have it. */
export async function* streamOnlyTrace(
  target: QueryTarget,
  planId: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const places = await findPlacesOfKeys(target, 'plan', [planId])
  const traceIds = places.map(({ traceId }) => traceId)
  if (places.length === 1) yield* orLost(target, traceIds, streamPlaces(target, places), WHOLE)
}

/** Streams rows of traces whose hours are known. */
export async function* streamPlaces(
  target: QueryTarget,
  places: readonly TracePlace[],
  content: Content = WHOLE,
  {
    parameters = {},
    planOf = NO_PLANS,
  }: {
    readonly parameters?: Readonly<Record<string, unknown>>
    /** The first traces of the plans that go on in some of the traces. */
    readonly planOf?: ReadonlyMap<string, string>
  } = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  if (places.length === 0) return
  const { database } = target
  const parts = { database, in_places: inPlaces(places) }
  const among = fillSql(content.among ?? 'true', parts)
  const more = planOf.size === 0 ? '' : `,\n  ${planTrace(planOf)}`
  yield* streamBytes(target, querySql('read_traces', { ...parts, ...content, among, more }), parameters)
}
