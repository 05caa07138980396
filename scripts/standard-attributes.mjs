// The tables of docs/semantic-conventions.md that say what becomes of the attributes and operations of the GenAI
// conventions.
import { kindRuleOf } from '../dist/mapping/adopt/kind-of.js'
import { sourcesOf } from '../dist/mapping/adopt/index.js'
import { PROPOSED, REGISTRY } from '../dist/mapping/conventions/index.js'
import { HOMES } from '../dist/mapping/record-object/index.js'
import { CONVENTIONS_VERSION, OPERATIONS, ROLES } from '../dist/semconv/index.js'

/** @param {string} text */
const code = (text) => `\`${text}\``

/** @param {string} key */
function fateOf(key) {
  const { [key]: known } = KNOWN
  if (known !== undefined) return known
  const roles = ROLES.filter(
    (role) =>
      Object.values(HOMES[role]).some((field) => field.key === key) ||
      Object.values(sourcesOf(role)).flat().includes(key),
  )
  if (roles.length > 0) return `a field of ${roles.map(code).join(', ')}`
  return `${code('planspan.attributes')} of its step or call`
}

const EVERY = 'a field of every span'
const FINDING = `${code('planspan.evaluations')} of its step or call; the finding of a ${code('guardrail')}`
/** @type {Readonly<Record<string, string>>} */
const KNOWN = {
  'gen_ai.operation.name': 'decides the role, as below',
  'gen_ai.conversation.id': EVERY,
  'gen_ai.agent.name': EVERY,
  'error.type': EVERY,
  'exception.type': `an event ${code('exception')}: the error of its span`,
  'exception.message': `an event ${code('exception')}: the error of its span`,
  'exception.stacktrace': `an event ${code('exception')} of its span`,
  'gen_ai.evaluation.name': FINDING,
  'gen_ai.evaluation.score.value': FINDING,
  'gen_ai.evaluation.score.label': FINDING,
  'gen_ai.evaluation.explanation': FINDING,
  'gen_ai.main_agent.id': 'an attribute of the resource',
  'gen_ai.main_agent.name': 'an attribute of the resource',
  'gen_ai.main_agent.description': 'an attribute of the resource',
  'gen_ai.token.modality': 'an attribute of metrics, which planspan does not store',
}

/** @param {string} name */
function roleOf(name) {
  const rule = kindRuleOf({ name, kind: 'INTERNAL', scopeName: '', attributes: { 'gen_ai.operation.name': name } })
  const kind = rule?.kind === 'retrieval' ? 'tool' : rule?.kind
  return kind !== undefined && ROLES.includes(kind)
    ? code(kind)
    : 'no role: its children belong to the span above, its attributes stay on the span'
}

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.join(' | ')} |`

export const standardAttributes = `## Standard attributes

planspan follows release ${CONVENTIONS_VERSION} of OpenTelemetry's GenAI conventions. This is what becomes of each attribute on another
instrumentation's span; attributes of the conventions without a field of their own are in the record under \`planspan.attributes\`.

| attribute | type | becomes |
| --- | --- | --- |
${Object.entries({ ...REGISTRY.attributes, ...REGISTRY.referred })
  .map(([key, type]) => {
    const [, each] = /^template\[(.+)\]$/.exec(type) ?? []
    return row([code(each === undefined ? key : `${key}.<name>`), each ?? type, fateOf(key)])
  })
  .join('\n')}

${Object.keys(PROPOSED).map(code).join(', ')} are proposed for a later release. They are read, too: an amount in US dollars is the cost of
its call.

Each operation of the conventions has a role:

| operation | role |
| --- | --- |
${(REGISTRY.values['gen_ai.operation.name'] ?? '')
  .split(' ')
  .map((name) => row([code(name), roleOf(name)]))
  .join('\n')}

planspan adds the operations ${Object.values(OPERATIONS)
  .filter((name) => !REGISTRY.values['gen_ai.operation.name']?.split(' ').includes(name))
  .map(code)
  .join(', ')}: the conventions permit further ones.

Former names are read, too:

| former name | today |
| --- | --- |
${Object.entries(REGISTRY.former)
  .map(([key, today]) => row([code(key), today === null ? '–' : code(today)]))
  .join('\n')}
`
