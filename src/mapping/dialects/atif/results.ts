import {
  itemsOf,
  jsonArray,
  jsonObject,
  jsonString,
  member,
  tryParseJson,
  bare,
  compactJson,
  type JsonNode,
  type JsonObject,
} from '../../json/index.js'
import type { HomeValues } from '../../record-object/index.js'
import type { AtifEra } from './era.js'
import { callIdOf } from './sub-plans.js'

/** The content of a message: a text, or parts as JSON text. */
interface Content {
  readonly text?: string | undefined
  readonly parts?: string | undefined
}

/** Reads a text or a list of parts. */
export function readContent(node: JsonNode | undefined): Content {
  if (node?.kind === 'string') return { text: node.value }
  return node?.kind === 'array' ? { parts: compactJson(node) } : {}
}

/** Writes content as it was read. Undefined without content. */
export function writeContent({ text, parts }: Content): JsonNode | undefined {
  const node = parts === undefined ? undefined : tryParseJson(parts)
  if (node) return bare(node)
  return text === undefined ? undefined : jsonString(text)
}

/** The results of a step: those of its calls, by index, and the others. */
interface StepResults {
  readonly ofCalls: ReadonlyMap<number, HomeValues<'tool'>>
  readonly others: HomeValues<'think_act'>
}

/** Reads the results of a step. The first result for each call belongs to the call, the others to the cycle. */
export function readResults(observation: JsonNode | undefined, calls: readonly JsonNode[], era: AtifEra): StepResults {
  const list = member(observation, 'results')
  const ofCalls = new Map<number, HomeValues<'tool'>>()
  const others: JsonNode[] = []
  if (list?.kind !== 'array') return { ofCalls, others: {} }
  const found = new Map<number, readonly [index: number, values: HomeValues<'tool'>]>()
  for (const [index, result] of list.items.entries()) {
    const { parts, tool: values } = era.objects.result.read(result)
    const { text, parts: items } = readContent(parts.content)
    const id = parts.source_call_id?.kind === 'string' ? parts.source_call_id.value : undefined
    const call = id === undefined ? -1 : calls.findIndex((one, at) => callIdOf(one) === id && !found.has(at))
    if (call < 0) others.push(result)
    else found.set(call, [index, { ...values, result: text, resultParts: items }])
  }
  // By default the results are in the order of their calls, before the others.
  const usual = [...found.keys()].sort((a, b) => a - b)
  for (const [call, [index, values]] of found) {
    const hasValues = Object.values(values).some((value) => value !== undefined)
    const isUsual = hasValues && usual.indexOf(call) === index
    ofCalls.set(call, { ...values, ...(!isUsual && { resultIndex: index }) })
  }
  return { ofCalls, others: otherResults(others, list.items.length) }
}

/** A single text is the result of the action. Anything else is kept as a list. */
function otherResults(others: readonly JsonNode[], all: number): HomeValues<'think_act'> {
  const [only] = others
  const { text } = readContent(member(only, 'content'))
  if (others.length === 1 && only?.kind === 'object' && only.members.length === 1 && text !== undefined) {
    return { actionResult: text }
  }
  return others.length > 0 || all === 0 ? { actionResults: compactJson(jsonArray([...others])) } : {}
}

/** Writes the results of a step: those of its calls in their places, the others between them. */
export function writeResults(
  calls: readonly HomeValues<'tool'>[],
  { actionResult, actionResults }: HomeValues<'think_act'>,
  { objects: { result } }: AtifEra,
): JsonNode | undefined {
  const placed = new Map<number, JsonObject>()
  let usual = 0
  for (const values of calls) {
    const { resultIndex, callId } = values
    const content = writeContent({ text: values.result, parts: values.resultParts })
    const written = result.writeUnlessEmpty({ tool: values, parts: { content } })
    if (!written && resultIndex === undefined) continue
    const source_call_id = callId === undefined ? undefined : jsonString(callId)
    const object = result.write({ tool: values, parts: { source_call_id, content } })
    placed.set(resultIndex ?? usual, { ...object, slot: resultIndex ?? usual })
    usual++
  }
  const list = actionResults === undefined ? undefined : tryParseJson(actionResults)
  const others = [
    ...(actionResult === undefined ? [] : [jsonObject([['content', jsonString(actionResult)]])]),
    ...itemsOf(list && bare(list)),
  ]
  if (placed.size === 0 && others.length === 0 && list === undefined) return undefined
  const items: JsonNode[] = []
  const last = [...placed.keys()].reduce((a, b) => Math.max(a, b), -1)
  for (let at = 0; at <= last || others.length > 0; at++) {
    const item = placed.get(at) ?? others.shift()
    if (item) items.push(item)
  }
  return jsonArray(items)
}
