import { exceptionFields, isData, isList, type Message } from '../../../semconv/index.js'
import type { AdoptNode } from '../adopt-node.js'
import type { Asked } from './asked-of-person.js'
import type { CallsOf } from '../calls/asked-calls.js'
import { INPUT, TOOL_CALL_ID, TOOL_RESULT } from '../values/fact-places.js'
import { dataIn, textOf } from '../values/json-data.js'
import { modelMessages } from '../values/model-messages.js'
import { factOfNode } from '../values/node-facts.js'
import { isCallOf, isDone } from './open-calls.js'
import { isFailed } from '../outcome/span-failure.js'
import { RESPONSE_TYPE } from './stop-signs.js'
import { toolResult } from '../values/tool-values.js'

/** What a run that goes on says about the answer that it continues with. */
export interface Answers {
  /** The results that its first model calls receive, or its tools return, by the ids of calls of earlier runs. */
  readonly results: ReadonlyMap<string, string | undefined>
  /** Its tool calls that are over. */
  readonly tools: readonly AdoptNode[]
  /** The person's answer, as the framework passes it to the run. Undefined if there is none. */
  readonly resumed: unknown
}

/** Reads what the spans of a run continue with. The first span is the run itself. */
export function answersIn(spans: Iterable<AdoptNode>, callsOf: CallsOf): Answers {
  const results = new Map<string, string | undefined>()
  const tools: AdoptNode[] = []
  const requested = new Set<string>()
  const begun = new Set<AdoptNode | undefined>()
  let run: AdoptNode | undefined
  for (const node of spans) {
    run ??= node
    if (node.kind === 'llm') {
      for (const { id } of callsOf(node)) if (id !== undefined) requested.add(id)
      const agent = agentOf(node)
      if (!begun.has(agent)) {
        for (const [id, text] of lastResults(modelMessages(node.span).input ?? [])) results.set(id, text)
      }
      begun.add(agent)
    }
    if (node.kind !== 'tool' || !isDone(node)) continue
    tools.push(node)
    const id = factOfNode(node, TOOL_CALL_ID)
    if (id !== undefined && !results.has(id)) results.set(id, toolResult(factOfNode(node, TOOL_RESULT)))
  }
  for (const id of requested) results.delete(id)
  return { results, tools, resumed: run && resumedIn(factOfNode(run, INPUT)) }
}

function agentOf(node: AdoptNode): AdoptNode | undefined {
  let at = node.parent
  while (at && at.kind !== 'agent') at = at.parent
  return at
}

/** Returns the results after the last answer of a model: those before it belong to earlier requests. */
function lastResults(messages: readonly Message[]): [id: string, text: string | undefined][] {
  const last = messages.findLastIndex(({ role, parts }) => role === 'assistant' && !hasResults(parts))
  return messages
    .slice(last + 1)
    .flatMap(({ parts }) =>
      (isList(parts) ? parts : []).flatMap((part): [string, string | undefined][] =>
        isData(part) && part.type === 'tool_call_response' && typeof part['id'] === 'string'
          ? [[part['id'], toolResult(textOf(part['response'] ?? part['result'] ?? part['content']))]]
          : [],
      ),
    )
}

const hasResults = (parts: Message['parts']): boolean =>
  isList(parts) && parts.some(({ type }) => type === 'tool_call_response')

const RESUME_KEYS = ['resume', 'resumeData', 'resume_data']
const WRAPPERS = ['input', 'inputs']

/** Returns the answer in the input of a run that resumes another one, or in the responses to its requests. */
function resumedIn(input: string | undefined): unknown {
  if (input === undefined || !/"resume(?:_?data)?"|response"/i.test(input)) return undefined
  const data = dataIn(input)
  for (const one of [data, ...(isData(data) ? WRAPPERS.map((key) => data[key]) : [])]) {
    const key = isData(one) ? RESUME_KEYS.find((name) => one[name] !== undefined && one[name] !== null) : undefined
    if (isData(one) && key !== undefined) return one[key]
  }
  return responsesIn(data)
}

/** Returns the responses to requests in the last message of an input. */
function responsesIn(input: unknown): unknown {
  const messages = isData(input) ? input['messages'] : input
  const last: unknown = isList(messages) ? messages.at(-1) : undefined
  const parts = isData(last) ? (last['parts'] ?? last['content']) : undefined
  const responses = isList(parts)
    ? parts.filter((part) => isData(part) && RESPONSE_TYPE.test(String(part['type'])))
    : []
  return responses.length > 0 ? responses : undefined
}

/** How a wait ended. */
export interface Resolution {
  readonly resolution: 'approved' | 'refused' | 'submitted'
  /** The answer as a text, if there is one. */
  readonly answer: string | undefined
}

const REFUSED =
  /\b(?:reject(?:ed)?|den(?:y|ied)|declin(?:e|ed)|refused?|disapproved?|not[-_ ](?:approved|allowed)|execution-denied)\b/i
const APPROVED = /^(?:y|yes|ok|true|approved?|accept(?:ed)?|allow(?:ed)?|confirm(?:ed)?)$/i

/** Returns how the answers of a run resolve a wait. Undefined if they do not answer it. */
export function resolutionOf(
  { id, tool: name }: Asked,
  { results, tools, resumed }: Answers,
  isApproval: boolean,
): Resolution | undefined {
  if (resumed === undefined && (id === undefined || !results.has(id))) return undefined
  const result = id === undefined ? undefined : results.get(id)
  const answer = textOfAnswer(resumed) ?? textOfAnswer(dataIn(result)) ?? result
  if (name === undefined) return { resolution: 'submitted', answer }
  const made = tools.find((tool) => isCallOf(tool, { id, name }))
  const hasRun = made !== undefined && !isFailed(made)
  const decided = isApproved(resumed)
  if (decided === false || (!hasRun && REFUSED.test(`${result ?? ''}\n${errorOfCall(made)}`)))
    return { resolution: 'refused', answer }
  // The result of an approved call is not the person's.
  if (decided === true || hasRun) return { resolution: 'approved', answer: textOfAnswer(resumed) }
  return { resolution: isApproval && resumed === undefined && made === undefined ? 'refused' : 'submitted', answer }
}

const errorOfCall = (tool: AdoptNode | undefined): string =>
  tool
    ? [
        tool.span.statusMessage,
        ...tool.span.events.map(({ attributes }) => attributes[exceptionFields.message.key]),
      ].join('\n')
    : ''

/** Whether a person's answer approves or refuses. Undefined if it says neither. */
function isApproved(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string')
    return REFUSED.test(value) || /^n(?:o)?$/i.test(value) ? false : APPROVED.test(value) ? true : undefined
  if (isList(value)) {
    const all = new Set(value.map(isApproved))
    return all.has(false) ? false : all.has(true) ? true : undefined
  }
  if (!isData(value)) return undefined
  const { approved, decisions, type, action } = value
  return isApproved(approved ?? decisions ?? type ?? action)
}

/** Returns the text in a person's answer. */
function textOfAnswer(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (isList(value))
    return (
      value
        .map(textOfAnswer)
        .filter((text) => text !== undefined)
        .join('\n') || undefined
    )
  if (!isData(value)) return undefined
  const text = ['message', 'feedback', 'reason', 'answer', 'text', 'response', 'value']
    .map((key) => value[key])
    .find((one) => typeof one === 'string')
  return text ?? textOfAnswer(value['decisions'])
}
