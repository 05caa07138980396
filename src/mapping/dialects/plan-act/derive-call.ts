import { decodeFields, toolFields } from '../../../semconv/index.js'
import { errorsWithin, errorTexts, stateOf, type SpanNode } from '../../tree/index.js'
import {
  jsonLiteral,
  jsonObject,
  jsonString,
  member,
  type JsonNode,
  tryParseJson,
  compactJson,
} from '../../json/index.js'
import type { EventValues } from './plan-act-event.js'

/** The toolsets of ManusX, by the first word of their tools' names. Other tools came from MCP. */
const GROUPS: Readonly<Record<string, string>> = {
  browser: 'browser',
  shell: 'shell',
  file: 'file',
  info: 'search',
  message: 'message',
}
const FOREIGN_GROUP = 'mcp'

/** The contents that a user sees, for toolsets whose contents include a text. */
const PLACES: Readonly<Record<string, (shown: JsonNode) => string>> = {
  [FOREIGN_GROUP]: (shown) => compactJson(jsonObject([['result', shown]])),
  file: (shown) => compactJson(jsonObject([['content', shown]])),
  shell: (shown) => compactJson(jsonObject([['console', shown]])),
}

/** Returns the two events of a tool call in ManusX: it begins, and it is over. */
export function callValues(tool: SpanNode): { readonly calling: EventValues; readonly called: EventValues } {
  const { name = '', callId = tool.span.spanId, group, ...call } = decodeFields(toolFields, tool.span.attributes)
  const error = errorTexts(errorsWithin(tool, ['plan']))
  const prefix = /^[a-z]+(?=_)/.exec(name)?.[0] ?? ''
  const ownGroup = group ?? (Object.hasOwn(GROUPS, prefix) ? GROUPS[prefix] : undefined) ?? FOREIGN_GROUP
  const calling = { callId, name, group: ownGroup, arguments: argumentsOf(call.arguments), status: 'calling' }
  const answer = call.result === undefined ? jsonLiteral(null) : (tryParseJson(call.result) ?? jsonString(call.result))
  const result = isToolResult(answer)
    ? answer
    : jsonObject([
        ['success', jsonLiteral(stateOf(tool) === 'completed')],
        ['message', error === undefined ? jsonLiteral(null) : jsonString(error)],
        ['data', answer],
      ])
  const data = member(result, 'data') ?? jsonLiteral(null)
  const shown = call.result === undefined ? error && jsonString(error) : ownGroup === FOREIGN_GROUP ? data : undefined
  const place = PLACES[ownGroup]
  return {
    calling,
    called: {
      ...calling,
      content: call.content ?? (place && shown && place(shown)),
      result: compactJson(result),
      status: 'called',
    },
  }
}

const RESULT_KEYS: ReadonlySet<string> = new Set(['success', 'message', 'data'])

/** Whether a result has the format of ManusX's tools, whose results their recorder keeps completely. */
function isToolResult(node: JsonNode): boolean {
  const success = member(node, 'success')
  const isSaid = success?.kind === 'literal' && success.value !== null
  return isSaid && node.kind === 'object' && node.members.every(({ key }) => RESULT_KEYS.has(key.value))
}

/** Returns the arguments as an object, whatever the caller wrote. */
function argumentsOf(text: string | undefined): string {
  const node: JsonNode | undefined = text === undefined ? jsonObject([]) : tryParseJson(text)
  return compactJson(node?.kind === 'object' ? node : jsonObject([['input', node ?? jsonString(text ?? '')]]))
}
