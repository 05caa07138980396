import { append } from '../../base/append.js'
import { OWN_ERA } from '../../semconv/index.js'
import { jsonLiteral, jsonString, member, type JsonNode, type JsonObject } from '../json/index.js'
import type { SpanNode } from '../tree/index.js'
import { readCarrier, writeCarrier } from './carrier/index.js'
import type { Dialect, DialectRecord, EncodeContext } from './dialect.js'

/** Writes a plan of any origin in a dialect, with a carrier of what the dialect has no keys for. */
export function writeOwnRecord(dialect: Dialect, node: SpanNode): JsonNode {
  const document = withoutSlots(dialect.convert(node))
  const { carrierIn: path } = dialect
  if (!path || document.kind !== 'object') return document
  const carrier = writeCarrier(node, () => dialect.encode(document, PLACELESS).draft)
  return carrier ? place(document, path, carrier) : document
}

/** The order of lists follows from the spans, so their objects need no positions. */
function withoutSlots(document: JsonNode): JsonNode {
  const pending = [document]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind === 'array') append(pending, node.items)
    if (node.kind !== 'object') continue
    delete node.slot
    for (const { value } of node.members) pending.push(value)
  }
  return document
}

/** Times of own records are in UTC, and their ids are in the carrier. */
const PLACELESS: EncodeContext = { timeZone: 'UTC', digest: '', ordinal: 0 }

/** Writes a record in an era of its dialect. */
export const writeRecord = (dialect: Dialect, node: SpanNode, era: string): JsonNode =>
  era === OWN_ERA ? writeOwnRecord(dialect, node) : dialect.decode(node, era)

/** Reads a record of a dialect, with its carrier if planspan wrote it. */
export function readRecord(dialect: Dialect, document: JsonNode, context: EncodeContext): DialectRecord {
  const carrier = dialect.carrierIn?.reduce<JsonNode | undefined>(member, document)
  if (!hasSpans(carrier)) return dialect.encode(document, context)
  const bare = place(document, dialect.carrierIn ?? [], undefined)
  const record = dialect.encode(bare, { ...context, timeZone: 'UTC' })
  const draft = readCarrier(carrier, record.draft)
  if (!draft) return dialect.encode(document, context)
  const { planId, rootPlanId } = draft.values as { readonly planId?: string; readonly rootPlanId?: string }
  return {
    ...record,
    era: OWN_ERA,
    planId: planId ?? record.planId,
    rootPlanId: rootPlanId ?? record.rootPlanId,
    draft,
  }
}

const hasSpans = (carrier: JsonNode | undefined): boolean => member(carrier, 'spans')?.kind === 'array'

/** The keys of a carrier, among others of the object that it is in. */
const KEYS: ReadonlySet<string> = new Set(['origin', 'said', 'spans'])

/** Returns a copy of a document with another carrier, or without one. */
function place(document: JsonNode, [key, ...rest]: readonly string[], carrier: JsonNode | undefined): JsonNode {
  const { members = [], ...object } = document.kind === 'object' ? document : {}
  if (key === undefined) {
    const others = members.filter((one) => !KEYS.has(one.key.value))
    const added = carrier?.kind === 'object' ? carrier.members : []
    return { ...object, kind: 'object', members: [...others, ...added] }
  }
  const value = place(member(document, key) ?? NOTHING, rest, carrier)
  const isEmpty = value.kind === 'object' && value.members.length === 0
  const placed = { key: jsonString(key), value: isEmpty ? jsonLiteral(null) : value }
  const at = members.findIndex((one) => one.key.value === key)
  return { ...object, kind: 'object', members: at < 0 ? [...members, placed] : members.with(at, placed) }
}

const NOTHING: JsonObject = { kind: 'object', members: [] }
