// Renders docs/semantic-conventions.md from the field tables and the dialects' properties: data in, text out.

/**
 * @typedef {import('../src/semconv/index.js').FieldTable} FieldTable
 * @typedef {import('../src/mapping/dialects/dialect.js').Era} Era
 * @typedef {import('../src/mapping/record-object/property.js').Property} Property
 * @typedef {import('../src/mapping/record-object/property.js').Properties} Properties
 *
 * @typedef {object} Vocabulary A record format, or a part of one, with its keys.
 * @property {string} title
 * @property {string} note
 * @property {Readonly<Record<string, Era>>} eras
 * @property {Readonly<Record<string, string>>} [objects] Explanations of the objects that need one, by their names.
 *
 * @typedef {object} Tables
 * @property {number} version
 * @property {string} schemaUrl
 * @property {string} guide Prose with its own headings.
 * @property {Readonly<Record<string, readonly string[]>>} words Lists of values, by their heading.
 * @property {FieldTable} everySpan
 * @property {readonly string[]} required The keys that every span must have.
 * @property {Readonly<Record<string, { operation: string, note: string, fields: FieldTable }>>} roles
 * @property {Readonly<Record<string, FieldTable>>} others The other field tables, by their heading.
 * @property {Readonly<Record<string, FieldTable>>} homes
 * @property {readonly Vocabulary[]} vocabularies
 */

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
/** @param {string} text */
const code = (text) => `\`${text}\``
/** @param {readonly string[]} texts */
const codes = (texts) => texts.map(code).join(', ')

/** @param {FieldTable} fields */
const fieldTable = (fields) =>
  table(
    ['attribute', 'type', 'content', 'meaning'],
    Object.values(fields).map(({ key, type, content, brief }) => [
      code(key.replace(/\.$/, '.<role>')),
      type,
      content ? 'yes' : '',
      brief,
    ]),
  )

/**
 * Returns the keys of an object and of nested objects, and the property of each.
 *
 * @param {Properties} properties
 * @param {readonly string[]} [keys]
 * @returns {[path: string, property: Property][]}
 */
export const leavesOf = (properties, keys = Object.keys(properties)) =>
  keys.flatMap((key) => {
    const property = properties[key]
    if (!property) return []
    if (property.kind !== 'nested') return [[key, property]]
    return leavesOf(property.properties).map(([path, inner]) => [`${key}.${path}`, inner])
  })

/** @param {Property} property @param {Tables['homes']} homes @returns {[spans: string, attributes: string]} */
function standsFor(property, homes) {
  /** @param {string} home @param {string} field */
  const attribute = (home, field) => code(homes[home]?.[field]?.key ?? '')
  if (property.kind === 'field') {
    const { home, field, from } = property
    const sources = from?.sources.map((source) => `${attribute(source.home, source.field)} of ${source.home}`) ?? []
    return [home, attribute(home, field) + (from ? `, else from ${sources.join(', ')}` : '')]
  }
  if (property.kind === 'nested') return ['', '']
  const { of, isList } = property
  const spans = of.flatMap((source) => (typeof source === 'string' ? [source] : []))
  const fields = of.flatMap((source) => (typeof source === 'string' ? [] : [source]))
  const attributes = new Set(fields.map(({ home, field }) => attribute(home, field)))
  const made = [...attributes, ...(spans.length > 0 ? ['these spans'] : [])].join(', ')
  return [
    [...new Set([...spans, ...fields.map(({ home }) => home)])].join(', '),
    isList ? 'one object each' : made ? `derived from ${made}` : '–',
  ]
}

/** @param {Vocabulary} vocabulary @param {Tables['homes']} homes */
function vocabularyPage({ title, note, eras, objects = {} }, homes) {
  const names = Object.keys(eras)
  const kinds = new Set(Object.values(eras).flatMap((era) => Object.keys(era.objects)))
  return [`## ${title}: record keys and attributes`, '', note, ''].concat(
    [...kinds].flatMap((kind) => {
      /** @type {Map<string, Map<string, { cells: readonly string[], eras: string[] }>>} */
      const byPath = new Map()
      for (const [name, era] of Object.entries(eras)) {
        const object = era.objects[kind]
        const written = new Set(object?.keys)
        for (const [path, property] of object ? leavesOf(object.properties) : []) {
          const variants = byPath.get(path) ?? new Map()
          byPath.set(path, variants)
          if (!written.has(path.split('.')[0] ?? '')) continue
          const cells = [code(path), ...standsFor(property, homes)]
          const line = variants.get(cells.join()) ?? { cells, eras: [] }
          line.eras.push(name)
          variants.set(cells.join(), line)
        }
      }
      const shown = [...byPath.values()].flatMap((variants) => [...variants.values()])
      const differs = shown.some(({ eras }) => eras.length < names.length)
      const head = ['record key', 'span', 'attribute', ...(differs ? ['eras'] : [])]
      const lines = shown.map(({ cells, eras }) => [...cells, ...(differs ? [eras.join(', ')] : [])])
      const about = objects[kind]
      return [`### ${kind}`, '', ...(about ? [about, ''] : []), table(head, lines), '']
    }),
  )
}

/** @param {Tables} tables @returns {string} */
export function conventionsPage({
  version,
  schemaUrl,
  guide,
  words,
  everySpan,
  required,
  roles,
  others,
  homes,
  vocabularies,
}) {
  return [
    '# Semantic conventions',
    '',
    '<!-- Generated by `npm run docs` from scripts/conventions-guide.mjs, src/semconv/fields and the dialects’ properties. -->',
    '<!-- Do not edit. -->',
    '',
    `Mapping version ${version}. planspan uses the standard \`gen_ai.*\` keys where they exist, and \`planspan.*\` keys for the rest.`,
    '',
    '- Attributes marked as content are omitted if `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `false`.',
    '- A value of type JSON is JSON text in a string attribute.',
    '- The status is UNSET on success, and ERROR with `error.type` on failure. The kind is INTERNAL, and CLIENT for `chat`.',
    `- The scope of planspan’s own spans is \`planspan\` with its version; its schema URL is ${schemaUrl}.`,
    '  Spans of other programs may have any scope.',
    '',
    ...Object.entries(words).map(([heading, values]) => `${heading}: ${codes(values)}.`),
    '',
    guide,
    '## Every span',
    '',
    `Required: ${codes(required)}. All other attributes, here and below, are optional.`,
    '',
    fieldTable(everySpan),
    '',
    '## By role',
    '',
    ...Object.entries(roles).flatMap(([role, { operation, note, fields }]) => [
      `### ${role}: ${code(operation)}`,
      '',
      note,
      '',
      fieldTable(fields),
      '',
    ]),
    ...Object.entries(others).flatMap(([heading, fields]) => [`## ${heading}`, '', fieldTable(fields), '']),
    '## Record keys',
    '',
    'These tables list, for each record format, the span or span event and the attribute that hold the value of each key. A key',
    'of an object without a span of its own is written as `object.key`. [dialects.md](dialects.md) explains how records become spans.',
    '',
    ...vocabularies.flatMap((vocabulary) => vocabularyPage(vocabulary, homes)),
  ].join('\n')
}
