import { ATTR } from '../../semconv/index.js'
import { jsonString, itemsOf, member, stringOf, type JsonNode, tryParseJson, compactJson } from '../json/index.js'
import { walk, type SpanNode } from '../tree/index.js'
import { toolDefinitions } from '../dialects/atif/index.js'
import { answer, argumentsOf, type ChatLine, type ChatMessage } from './message.js'

/** Returns a line for each model call of an agent whose input is recorded: its input and its answer. */
export function modelCallsOf(root: SpanNode): ChatLine[] {
  return [...walk(root)]
    .filter(({ role, parent }) => role === 'llm' && parent?.role !== 'guardrail')
    .sort((a, b) => (a.span.startTimeUnixNano < b.span.startTimeUnixNano ? -1 : 1))
    .flatMap((call) => {
      const { attributes } = call.span
      const [given, answered] = [attributes[ATTR.inputMessages], attributes[ATTR.outputMessages]].map(listOf)
      const said = (answered ?? []).flatMap(messagesOf).filter(({ role }) => role === 'assistant')
      if (!given || given.length === 0 || said.length === 0) return []
      const system = textIn(listOf(attributes[ATTR.systemInstructions]) ?? [])
      const tools = toolDefinitions([call])
      return [
        {
          messages: [
            ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
            ...given.flatMap(messagesOf),
            ...said,
          ],
          ...(tools !== undefined && { tools: JSON.parse(tools) as unknown }),
        },
      ]
    })
}

function listOf(text: string | undefined): readonly JsonNode[] | undefined {
  const node = text === undefined ? undefined : tryParseJson(text)
  return node?.kind === 'array' ? node.items : undefined
}

/** Returns the text of the parts of a message in the GenAI conventions. */
const textIn = (parts: readonly JsonNode[]): string =>
  parts
    .filter((part) => stringOf(member(part, 'type')) === 'text')
    .flatMap((part) => stringOf(member(part, 'content')) ?? stringOf(member(part, 'text')) ?? [])
    .join('\n')

function messagesOf(message: JsonNode): ChatMessage[] {
  const parts = itemsOf(member(message, 'parts'))
  const content = textIn(parts)
  const ofType = (type: string): readonly JsonNode[] => parts.filter((part) => stringOf(member(part, 'type')) === type)
  const role = stringOf(member(message, 'role'))
  if (role === 'system' || role === 'developer') return [{ role: 'system', content }]
  if (role === 'assistant') {
    const calls = ofType('tool_call').map((call) => ({
      id: stringOf(member(call, 'id')) ?? '',
      type: 'function' as const,
      function: { name: stringOf(member(call, 'name')) ?? '', arguments: argumentsOf(member(call, 'arguments')) },
    }))
    return [answer(content, calls, false) ?? []].flat()
  }
  const results = ofType('tool_call_response').map((part): ChatMessage => {
    const response = member(part, 'response') ?? jsonString('')
    return {
      role: 'tool',
      tool_call_id: stringOf(member(part, 'id')) ?? '',
      content: stringOf(response) ?? compactJson(response),
    }
  })
  return content === '' && results.length > 0 ? results : [...results, { role: 'user', content }]
}
