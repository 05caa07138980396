// The table of docs/semantic-conventions.md that says what becomes of each attribute of the GenAI conventions.
import { sourcesOf } from '../dist/mapping/adopt/index.js'
import { CONVENTION_ATTRIBUTES, FORMER_ATTRIBUTES } from '../dist/mapping/conventions/index.js'
import { ROLE_FIELDS, ROLES, CONVENTIONS_VERSION } from '../dist/semconv/index.js'

/** @param {string} text */
const code = (text) => `\`${text}\``

/** @param {string} key */
function fateOf(key) {
  const roles = ROLES.filter(
    (role) =>
      Object.values(ROLE_FIELDS[role]).some((field) => field.key === key) ||
      Object.values(sourcesOf(role)).flat().includes(key),
  )
  if (roles.length > 0) return `a field of ${roles.map(code).join(', ')}`
  return EVERY.has(key) ? 'a field of every span' : `${code('planspan.attributes')} of its step or call`
}

const EVERY = new Set(['gen_ai.operation.name', 'gen_ai.conversation.id', 'gen_ai.agent.name'])

export const standardAttributes = `## Standard attributes

planspan follows release ${CONVENTIONS_VERSION} of OpenTelemetry's GenAI conventions. This is what becomes of each attribute on another
instrumentation's span; attributes of the conventions without a field of their own are in the record under \`planspan.attributes\`.

| attribute | type | becomes |
| --- | --- | --- |
${[...CONVENTION_ATTRIBUTES].map(([key, type]) => `| ${code(key)} | ${type} | ${fateOf(key)} |`).join('\n')}
| ${code('gen_ai.prompt.variable.<name>')} | string | ${code('planspan.attributes')} of its step or call |

Former names are read, too:

| former name | today |
| --- | --- |
${[...FORMER_ATTRIBUTES].map(([key, today]) => `| ${code(key)} | ${today === undefined ? '–' : code(today)} |`).join('\n')}
`
