import type { Client, SpanReading } from '../../client/index.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { print, styled } from '../output/terminal.js'
import { oneLine, plural } from '../output/text-layout.js'

/** `planspan doctor --trace`: prints the spans of a trace as a tree, each with its role and the reason for it. */
export async function explainTrace(
  client: Pick<Client, 'traceReading'>,
  traceId: string,
  asJson = false,
): Promise<ExitCode> {
  const spans = await client.traceReading(traceId)
  if (asJson) print(JSON.stringify({ spans }, undefined, 2))
  else for (const line of readingLines(spans)) print(line)
  return EXIT.done
}

/** Formats each span below the span that it belongs to, with the attributes that matter. */
export function readingLines(spans: readonly SpanReading[]): string[] {
  const depths = new Map<string, number>()
  const lines = spans.flatMap((span) => {
    const depth = 1 + (depths.get(span.parentSpanId) ?? -1)
    depths.set(span.spanId, depth)
    const indent = '  '.repeat(depth)
    const role = span.role === null ? styled('dim', '·') : styled('bold', span.role)
    return [
      `${indent}${role}  ${oneLine(span.name)}  ${styled('dim', span.spanId)}`,
      ...remarksOf(span).map((remark) => `${indent}    ${remark}`),
    ]
  })
  const lost = spans.filter(({ why }) => why.startsWith('not understood')).length
  const misspelt = spans.reduce((count, span) => count + Object.keys(span.misspelt).length, 0)
  return [
    ...lines,
    '',
    `${plural(spans.length, 'span')}: ${plural(spans.filter(({ role }) => role !== null).length, 'part')} of a plan, ` +
      `${String(lost)} not understood, ${plural(misspelt, 'attribute')} that may be misspelt.`,
  ]
}

function remarksOf({ why, convention, role, ended, taken, ignored, misspelt, missing }: SpanReading): string[] {
  const from = Object.entries(taken).filter(([key, source]) => source !== key && !BOOKKEEPING.test(key))
  return [
    styled('dim', convention === null || convention === 'planspan' ? why : `${convention}: ${why}`),
    ...(ended !== null && (role === 'plan' || ended.state !== 'completed') ? [`${ended.state}: ${ended.why}`] : []),
    ...(from.length > 0
      ? [from.map(([key, source]) => `${key} ${source === null ? 'derived' : `from ${source}`}`).join(', ')]
      : []),
    ...(ignored.length > 0 ? [styled('dim', `ignored: ${ignored.join(', ')}`)] : []),
    ...(missing === null ? [] : [styled('yellow', `missing: ${missing}`)]),
    ...Object.entries(misspelt).map(([key, meant]) => styled('yellow', `${key}: did you mean ${meant}?`)),
  ]
}

/** The attributes that every adopted span receives. */
const BOOKKEEPING = /^planspan\.(span\.kind|adopted\..*|plan\.(id|root_id)|seq|step\.id)$/
