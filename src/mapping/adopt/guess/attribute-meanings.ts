/** What the value of an attribute is, by the attribute's name. */
export type Meaning =
  | 'kind'
  | 'model'
  | 'responseModel'
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'toolName'
  | 'callId'
  | 'arguments'
  | 'agentName'
  | 'conversation'
  | 'input'
  | 'output'
  | 'label'

/** Names as words in lower case. The first match counts. */
const MEANINGS: readonly (readonly [words: RegExp, meaning: Meaning])[] = [
  [
    /\b(cached|cache read|cache hit)( input| prompt| content)? tokens?$|\b(tokens?|input) cached$|\bdetails cache read$/,
    'cacheReadTokens',
  ],
  [/\bcache (write|creation)( input)? tokens?$/, 'cacheWriteTokens'],
  [/\b(reasoning|thoughts?|thinking)( output)? tokens?$|\bdetails reasoning$/, 'reasoningTokens'],
  [/\b(input|prompt) tokens?( count)?$|\b(tokens?|token count|usage) (input|prompt|in)$/, 'inputTokens'],
  [/\b(output|completion) tokens?( count)?$|\b(tokens?|token count|usage) (output|completion|out)$/, 'outputTokens'],
  [/\bresponse model( name| id)?$/, 'responseModel'],
  [/\b(model|llm)( name| id)?$/, 'model'],
  [/\b(tool|function)( call| use)? id$|\bcall id$/, 'callId'],
  [/\b(tool|function)( call)? name$/, 'toolName'],
  [/\bagent( name)?$/, 'agentName'],
  [/\b(session|conversation|thread|chat) id$/, 'conversation'],
  [/\b(kind|type|subtype|operation)( name)?$/, 'kind'],
  [/\b(arguments|args)$/, 'arguments'],
  [/\b(outputs?|completions?|answer|result|response)( (messages|value|text|data|content))?$/, 'output'],
  [/\b(inputs?|prompts?|question|query|messages|request)( (value|text|data))?$/, 'input'],
  [/\bname$/, 'label'],
]

/** Namespaces of OpenTelemetry's conventions whose values no model, tool or agent has read or written. */
const OTHER =
  /^(aws|azure|browser|client|cloud|code|container|db|deployment|device|dns|enduser|error|event|exception|faas|file|gcp|graphql|grpc|host|http|k8s|log|messaging|net|network|os|otel|peer|process|rpc|server|service|system|telemetry|thread|tls|url|user|user_agent)[._-]/

const KNOWN = new Map<string, Meaning | undefined>()

/** More names than instrumentations have. Limits the memory that hostile names can take. */
const MAX_KNOWN = 10_000

/** Returns what an attribute's value is, by the words of its name. Undefined if the name does not say it. */
export function meaningOf(key: string): Meaning | undefined {
  if (KNOWN.has(key)) return KNOWN.get(key)
  const words = key
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, ' ')
  const meaning = OTHER.test(key) ? undefined : MEANINGS.find(([pattern]) => pattern.test(words))?.[1]
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear()
  KNOWN.set(key, meaning)
  return meaning
}
