import { countDrop, countUnknownName } from './drops.js'

/** Other libraries' option names, by planspan's names. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  workflow: ['name', 'workflowName', 'kind'],
  request: ['userRequest', 'agentRequest', 'userInput', 'input', 'prompt', 'query', 'question', 'task', 'goal'],
  conversationId: ['sessionId', 'threadId', 'chatId'],
  planId: ['id', 'runId'],
  planner: ['name', 'agentName', 'agent'],
  name: ['agentName', 'agent', 'toolName', 'tool', 'guardrailName', 'guardrail', 'title', 'role'],
  stepId: ['id'],
  callId: ['id', 'toolCallId'],
  arguments: ['args', 'parameters', 'params', 'input', 'toolInput', 'toolArgs', 'toolArguments'],
  guardedBy: ['guardrail', 'guardrails', 'guards'],
  model: ['modelName', 'modelId', 'name'],
  provider: ['providerName', 'vendor'],
  input: ['messages', 'prompt', 'request', 'contents'],
  output: ['response', 'answer', 'completion'],
  system: ['instructions', 'systemPrompt', 'systemInstruction', 'systemInstructions'],
  tools: ['functions', 'toolDefinitions'],
  finishReasons: ['finishReason', 'stopReason'],
  inputTokens: ['prompt_tokens', 'input_tokens', 'promptTokenCount'],
  outputTokens: ['completion_tokens', 'output_tokens', 'candidatesTokenCount'],
  score: ['riskScore', 'risk'],
  isSafe: ['safe', 'allowed', 'passed'],
  policies: ['policyIds', 'violatedPolicies', 'violatedPolicyIds'],
  explanation: ['reason', 'reasons', 'rationale', 'riskExplanation'],
  reason: ['why', 'updateReason', 'kind', 'type'],
  formDescription: ['description', 'question', 'message'],
  formInputs: ['inputs', 'fields', 'form', 'answer', 'values'],
  resolution: ['result', 'status', 'decision'],
  actor: ['user', 'person', 'reviewer', 'by'],
  action: ['decision', 'resolution', 'status'],
  feedback: ['comment', 'message', 'reason'],
  content: ['text', 'message'],
  role: ['type', 'from', 'sender'],
  cacheRead: ['cached', 'cachedTokens'],
  cacheWrite: ['cacheCreation', 'cacheCreationTokens'],
  endpoint: ['otlpEndpoint', 'exporterUrl', 'collector'],
  serviceName: ['name', 'service', 'appName'],
}

/** A set of names, or a map with names as keys. */
interface KnownNames {
  keys(): Iterable<string>
}

/** Counts a value under a name that `subject` does not have, and once logs the name that was probably meant. */
export function countUnknownOption(subject: string, name: string, known: KnownNames): void {
  countUnknownName(`${JSON.stringify(name.slice(0, MAX_NAME_CHARS))}, which ${subject} does not have`, () => {
    const meant = meantName(name, known)
    return meant === undefined ? 'see its type for the valid names' : `use ${JSON.stringify(meant)}`
  })
}

/** Counts the values whose names `subject` does not have. Never throws. */
export function countUnknownOptions(subject: string, given: unknown, known: ReadonlySet<string>): number {
  let count = 0
  if (typeof given !== 'object' || given === null) return count
  try {
    for (const name in given) {
      if (known.has(name) || isMissing((given as Record<string, unknown>)[name])) continue
      countUnknownOption(subject, name, known)
      count++
    }
  } catch {
    countDrop('value', 'options that could not be read')
  }
  return count
}

const isMissing = (value: unknown): boolean => value === undefined || value === null

const MAX_NAME_CHARS = 60
const MAX_EDITS = 2

/** Returns the known name that differs only in spelling style, has the same meaning, or is the nearest. */
export function meantName(name: string, known: KnownNames): string | undefined {
  const names = [...known.keys()]
  const plain = plainName(name)
  return (
    names.find((one) => plainName(one) === plain) ??
    names.find((one) => SYNONYMS[one]?.some((synonym) => plainName(synonym) === plain)) ??
    nearestName(plain, names)
  )
}

const plainName = (name: string): string =>
  name
    .slice(0, MAX_NAME_CHARS)
    .replaceAll(/[^a-z\d]/gi, '')
    .toLowerCase()

function nearestName(given: string, names: readonly string[]): string | undefined {
  const nearest = names
    .map((name) => ({ name, edits: editsBetween(given, plainName(name)) }))
    .reduce((best, next) => (next.edits < best.edits ? next : best), { name: '', edits: Number.POSITIVE_INFINITY })
  return nearest.edits <= Math.min(MAX_EDITS, given.length / 2.5) ? nearest.name : undefined
}

/** The number of letters to change, add or remove. */
function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const [left = 0, up = 0, corner = 0] = [line[column - 1], above[column], above[column - 1]]
      line.push(Math.min(left + 1, up + 1, corner + (a[row - 1] === b[column - 1] ? 0 : 1)))
    }
    above = line
  }
  return above[b.length] ?? 0
}
