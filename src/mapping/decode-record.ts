import { createHash } from 'node:crypto'
import { append } from '../base/append.js'
import { ATTR, type State, type StoredSpan, type Verdict } from '../semconv/index.js'
import { adopt } from './adopt/index.js'
import { chatText, type ChatUnit } from './chat/index.js'
import { type LeftOut, leftOutOf } from './conversion/index.js'
import {
  type Dialect,
  DIALECTS,
  isDialectName,
  writeOwnRecord,
  type WrittenFormat,
  writeRecord,
} from './dialects/index.js'
import { decodeAsLynxe, idleAgentOf } from './dialects/plan-execution/index.js'
import { parseResidual } from './encode-records.js'
import {
  foldSpans,
  buildForest,
  isForeignRecord,
  stateOf,
  walk,
  type SpanNode,
  droppedValues,
  type Gap,
  isRedacted,
  missingSpans,
  unreadTimes,
  verdictOf,
} from './tree/index.js'
import { applyDeviations, type JsonNode, type JsonStyle, writeJsonDocument } from './json/index.js'
import { showStoppedActions } from './faults/index.js'

/**
 * How a rebuilt record is written. `record`: as it was imported, or as planspan writes a live plan. The others: as
 * Lynxe's two API paths respond.
 */
export type RecordForm = 'record' | 'lynxe-details' | 'lynxe-agent-execution'

/** How a record is rebuilt from spans. */
export interface DecodeOptions {
  /** The plan or sub-plan to rebuild. @default the root plan of the trace */
  readonly planId?: string
  /** The agent's step to rebuild, instead of a plan. */
  readonly stepId?: string
  /** @default 'record' */
  readonly form?: RecordForm
  /** The format of the record. @default the dialect of the imported record; plan-execution for a live plan */
  readonly format?: WrittenFormat
  /** What a line of `chat` holds. @default 'conversation' */
  readonly chatUnit?: ChatUnit
  /**
   * The time at which a live plan that was silent for longer than its heartbeat interval counts as interrupted, Unix
   * nanoseconds.
   * @default no plan counts as interrupted
   */
  readonly now?: bigint
}

/** A record that was rebuilt from stored spans. */
export interface DecodedRecord {
  readonly text: string
  readonly dialect: WrittenFormat
  readonly verdict: Verdict
  /** The gaps of the record, in words. Empty unless the verdict is `partial`. */
  readonly missing: readonly string[]
  /** The gaps with the spans that have them. */
  readonly gaps: readonly Gap[]
  /** What a converted record does not hold, by kind. Empty for a record in its own dialect, and for `chat`. */
  readonly leftOut: readonly LeftOut[]
  readonly state: State
  readonly planId: string
  readonly traceId: string
  /** Whether the spans come from a running agent, not from an import. */
  readonly live: boolean
}

/**
 * Rebuilds a record from the stored spans of one trace, in any order, with duplicates and snapshots. The segments of a
 * resumed plan form one plan. Undefined if the spans contain no such plan or step.
 */
export function decodeRecord(spans: Iterable<StoredSpan>, options: DecodeOptions = {}): DecodedRecord | undefined {
  const forest = buildForest(foldSpans(adopt(spans)), { now: options.now })
  const node = findRecordRoot(forest, options) ?? findIdleAgent(forest, options)
  if (!node) return undefined
  const root = rootOf(node)
  const own = root.span.attributes[ATTR.recordDialect]
  const live = !isDialectName(own)
  const format = options.format ?? (live ? 'plan-execution' : own)
  const asLynxe = options.form !== undefined && options.form !== 'record' && (live || node !== root || own !== format)
  const isExact = !asLynxe && format === own
  showStoppedActions(node)
  const { text, leftOut = [] } = asLynxe
    ? { text: writeJsonDocument(decodeAsLynxe(node, { live: !isForeignRecord(root.span) }), {}) }
    : isExact && isDialectName(own)
      ? { text: exactText(node, root, DIALECTS[own]) }
      : convertedRecord(node, format, { ...options, isOwn: live && format === 'plan-execution' })
  const gaps = [...missingSpans(node), ...droppedValues(node), ...unreadTimes(node)]
  const digest = node === root ? root.span.attributes[ATTR.recordDigest] : undefined
  const altered = digest !== undefined && isExact && digest !== sha256(text)
  return {
    text,
    dialect: format,
    verdict: verdictOf({ missing: gaps.length > 0 || leftOut.length > 0, redacted: isRedacted(node), altered }),
    missing: gaps.map(({ what }) => what),
    gaps,
    leftOut,
    state: stateOf(node),
    planId: node.span.attributes[ATTR.planId] ?? '',
    traceId: node.span.traceId,
    live,
  }
}

/** A record in another format than that of its import, with what it does not hold. */
interface ConvertedRecord {
  readonly text: string
  readonly leftOut?: readonly LeftOut[]
}

function convertedRecord(
  node: SpanNode,
  format: WrittenFormat,
  { chatUnit = 'conversation', isOwn }: DecodeOptions & { readonly isOwn: boolean },
): ConvertedRecord {
  if (format === 'chat') return { text: chatText(node, chatUnit) }
  const document = writeOwnRecord(DIALECTS[format], node)
  const text = writeJsonDocument(document, DIALECTS[format].style(''))
  return isOwn ? { text } : { text, leftOut: leftOutOf(node, document, format) }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Returns the requested node. If several plans have the id, the root of an import is preferred, then a plan that is no
 * orphan.
 */
export function findRecordRoot(
  forest: readonly SpanNode[],
  { planId, stepId }: Pick<DecodeOptions, 'planId' | 'stepId'>,
): SpanNode | undefined {
  const nodes = forest.flatMap((tree) => [...walk(tree)])
  if (stepId !== undefined) {
    return nodes.find(({ role, span }) => role === 'agent' && span.attributes[ATTR.stepId] === stepId)
  }
  const plans = nodes.filter(
    (node) => isRecordRoot(node) && (planId === undefined || node.span.attributes[ATTR.planId] === planId),
  )
  return (
    plans.find(({ span }) => ATTR.recordDialect in span.attributes) ?? plans.find(({ orphan }) => !orphan) ?? plans[0]
  )
}

/** The agent of a live plan's step that has not begun. */
function findIdleAgent(forest: readonly SpanNode[], { stepId }: DecodeOptions): SpanNode | undefined {
  if (stepId === undefined) return undefined
  for (const tree of forest) {
    for (const node of walk(tree)) {
      const agent = node.role === 'plan' ? idleAgentOf(node, stepId) : undefined
      if (agent) return agent
    }
  }
  return undefined
}

/** A plan, or an agent whose record was imported alone. */
const isRecordRoot = ({ role, span }: SpanNode): boolean =>
  role === 'plan' || (role === 'agent' && span.attributes[ATTR.recordDialect] !== undefined)

/** The span with the attributes of the whole import: the outermost plan or agent above a node. */
function rootOf(node: SpanNode): SpanNode {
  let root = node
  for (let above = node.parent; above; above = above.parent) if (above.role !== undefined) root = above
  return root
}

/** Writes a record exactly as it was imported, or a sub-plan in the same layout. */
function exactText(node: SpanNode, root: SpanNode, dialect: Dialect): string {
  const era = root.span.attributes[ATTR.recordEra] ?? ''
  const whole = parseResidual(root.span.attributes[ATTR.residual]).style ?? dialect.style(era)
  const { head: _head, tail: _tail, bom: _bom, ...layout } = whole
  const style = node === root ? whole : layout
  const document = writeRecord(dialect, node, era)
  restore(document, node, style)
  return writeJsonDocument(document, style)
}

/** Restores what the residual of each span records in the object that was decoded from the span. */
function restore(document: JsonNode, node: SpanNode, style: JsonStyle): void {
  const objects = objectsByOrigin(document)
  objects.set(node.span.spanId, document)
  for (const { span } of walk(node)) {
    const object = objects.get(span.spanId)
    const { deviations } = parseResidual(span.attributes[ATTR.residual])
    if (object) applyDeviations(object, deviations, style)
  }
}

function objectsByOrigin(document: JsonNode): Map<string, JsonNode> {
  const found = new Map<string, JsonNode>()
  const pending = [document]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind === 'object') {
      if (node.origin !== undefined) found.set(node.origin, node)
      for (const { value } of node.members) pending.push(value)
    } else if (node.kind === 'array') append(pending, node.items)
  }
  return found
}
