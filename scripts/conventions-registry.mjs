// Reads the models of OpenTelemetry's conventions: names, types, values and required attributes, no descriptions.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/**
 * @typedef {import('../src/mapping/conventions/registry-types.js').Registry} Registry
 * @typedef {{ reason?: string, renamed_to?: string, note?: string } | string} Deprecated
 * @typedef {string | { members: { value: string }[] }} Type
 * @typedef {{ key?: string, id?: string, type: Type, deprecated?: Deprecated }} Definition
 * @typedef {{ ref?: string, ref_group?: string, requirement_level?: unknown }} Reference
 * @typedef {{ id: string, attributes?: Reference[] }} Group
 * @typedef {{ type: string, kind: string, name?: { note?: string }, note?: string, attributes?: Reference[] }} Span
 * @typedef {{ id: string, ref: string, name?: { note?: string }, attributes?: Reference[] }} Refinement
 * @typedef {{ name: string, attributes?: Reference[] }} Event
 *
 * @typedef {object} Model All files of a checkout's folder `model`.
 * @property {Definition[]} attributes
 * @property {Map<string, Reference[]>} groups
 * @property {Span[]} spans
 * @property {Refinement[]} refinements
 * @property {Event[]} events
 */

/** @param {string} checkout @param {string} version */
export const isConventionsVersion = (checkout, version) =>
  parse(readFileSync(join(checkout, 'model/manifest.yaml'), 'utf8')).schema_url.endsWith(`/${version}`)

/** @param {string} checkout @returns {Model} */
export function readModel(checkout) {
  const folder = join(checkout, 'model')
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((file) => /\.ya?ml$/.test(file))
  const parts = files.sort().map((file) => parse(readFileSync(join(folder, file), 'utf8')) ?? {})
  /** @param {string} key @returns {any[]} */
  const all = (key) => parts.flatMap((part) => part[key] ?? [])
  // The core conventions define attributes in groups.
  const inGroups = all('groups').flatMap((group) => group.attributes ?? [])
  return {
    attributes: [...all('attributes'), ...inGroups.filter((each) => each.id !== undefined)],
    groups: new Map(all('attribute_groups').map((/** @type {Group} */ { id, attributes }) => [id, attributes ?? []])),
    spans: all('spans'),
    refinements: all('span_refinements'),
    events: all('events'),
  }
}

/** @param {Model} genai @param {Model} core @returns {Registry} */
export function registryOf(genai, core) {
  const own = new Map(genai.attributes.map((each) => [nameOf(each), each]))
  const others = new Map(core.attributes.map((each) => [nameOf(each), each]))
  const signals = [...genai.spans, ...genai.refinements, ...genai.events]
  const used = new Set(signals.flatMap(({ attributes = [] }) => referencesOf(attributes, genai)).map(({ ref }) => ref))
  const referred = [...others.values()].filter((each) => used.has(nameOf(each)) && !own.has(nameOf(each)))
  const current = [...own.values()].filter(({ deprecated }) => deprecated === undefined)
  const namespaces = new Set(current.map((each) => namespaceOf(nameOf(each))))
  const isCurrent = new Set(current.map(nameOf))
  const former = [...others.values(), ...own.values()].filter(
    (each) =>
      each.deprecated !== undefined && namespaces.has(namespaceOf(nameOf(each))) && !isCurrent.has(nameOf(each)),
  )
  const spans = genai.spans.filter((span) => requiredOf(span, genai).includes(OPERATION))
  const listed = [...current, ...referred].flatMap((each) =>
    typeof each.type === 'string' ? [] : [[nameOf(each), each.type.members.map(({ value }) => value).join(' ')]],
  )
  return {
    attributes: byName(current.map((each) => [nameOf(each), typeOf(each)])),
    referred: byName(referred.map((each) => [nameOf(each), typeOf(each)])),
    values: byName(/** @type {[string, string][]} */ (listed)),
    former: byName(former.map((each) => [nameOf(each), successorOf(each)])),
    spans: byName(spans.map((span) => [span.type, spanOf(span, genai)])),
  }
}

const OPERATION = 'gen_ai.operation.name'

/** @param {Definition} definition */
const nameOf = ({ key, id }) => key ?? id ?? ''

/** @param {string} name */
const namespaceOf = (name) => name.slice(0, name.indexOf('.'))

/** @template T @param {[string, T][]} entries @returns {Record<string, T>} */
const byName = (entries) => Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))

/** @param {Definition} definition @returns {any} The type; that of listed values is a string. */
const typeOf = ({ type }) => (typeof type === 'string' ? type : 'string')

/** Names that changed with the release; the models call them removed. */
const RENAMED = new Map([
  ['gen_ai.workflow.name', 'gen_ai.agent.name'],
  ['gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_write.input_tokens'],
])

/** @param {Definition} definition @returns {string | null} */
function successorOf(definition) {
  const { deprecated } = definition
  const renamed = RENAMED.get(nameOf(definition))
  if (renamed !== undefined || typeof deprecated !== 'object') return renamed ?? null
  return deprecated.renamed_to ?? /Replaced by `([\w.]+)`/.exec(deprecated.note ?? '')?.[1] ?? null
}

/** @param {Span} span @param {Model} model @returns {string[]} */
function requiredOf({ attributes = [] }, model) {
  const required = referencesOf(attributes, model).filter(({ requirement_level: level }) => level === 'required')
  return [...new Set(required.map(({ ref }) => ref ?? ''))]
}

/** @param {Span} span @param {Model} model */
function spanOf(span, model) {
  const { type, kind, name, note = '' } = span
  const refinements = model.refinements.filter(({ ref }) => ref === type)
  const notes = [name, ...refinements.map((each) => each.name)].map((each) => each?.note ?? '')
  const kinds = [kind, ...(/MAY be set to `INTERNAL`/.test(note) ? ['internal'] : [])]
  const names = notes.flatMap((text) => [...text.matchAll(/`([^`]*\{[^`]+\}[^`]*)`/g)].map(([, form = '']) => form))
  return { kinds, names: [...new Set(names)], required: requiredOf(span, model) }
}

/**
 * @param {readonly Reference[]} references
 * @param {Model} model
 * @returns {Reference[]} The references, with those of groups.
 */
const referencesOf = (references, model) =>
  references.flatMap((each) =>
    each.ref_group === undefined ? each : referencesOf(model.groups.get(each.ref_group) ?? [], model),
  )
