import type { TreeSpan } from '../../mapping/index.js'
import { ATTR } from '../../semconv/index.js'

/** A text as values hold it: as it is, and as it is written in JSON, by some in ASCII alone. */
export function writingsOf(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1)
  const ascii = escaped.replaceAll(
    /[^\0-\x7f]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [...new Set([text, escaped, ascii])]
}

/** What each span says of itself in the convention's words or by its plan's ids, which no one looks for. */
const UNSOUGHT: ReadonlySet<string> = new Set([
  ATTR.spanKind,
  ATTR.operationName,
  ATTR.planId,
  ATTR.planRootId,
  ATTR.conversationId,
  ATTR.state,
  ATTR.status,
])

/** Spans of these are an agent; all below it carries its name, too. */
const OF_AGENTS: ReadonlySet<string | undefined> = new Set(['agent', 'planning', undefined])

/** The spans that hold a text in a name, a message or a value, in upper or lower case. */
export function searchSpans(spans: readonly TreeSpan[], text: string): string[] {
  const sought = writingsOf(text).map((writing) => writing.toLowerCase())
  return spans
    .filter((span) =>
      textsOf(span).some((value) => {
        const lowerCase = value.toLowerCase()
        return sought.some((one) => lowerCase.includes(one))
      }),
    )
    .map(({ spanId }) => spanId)
}

function textsOf({ name, statusMessage, attributes }: TreeSpan): string[] {
  const isAgent = OF_AGENTS.has(attributes[ATTR.spanKind])
  const values = Object.entries(attributes)
    .filter(([key]) => !UNSOUGHT.has(key) && (isAgent || key !== ATTR.agentName))
    .map(([, value]) => value)
  return [withoutOperation(name), statusMessage, ...values]
}

/** A span's name begins with its operation, as all of its role do. */
const withoutOperation = (name: string): string => name.slice(name.indexOf(' ') + 1)
