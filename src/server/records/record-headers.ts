import type { DecodedRecord } from '../../mapping/index.js'
import { RECORD_HEADERS } from '../../semconv/index.js'

/** Clients accept about 16 kB of headers in total. */
const MAX_LIST_LENGTH = 4_000

/** The headers of a rebuilt record. */
export function recordHeaders({
  verdict,
  state,
  dialect,
  traceId,
  missing,
}: Pick<DecodedRecord, 'verdict' | 'state' | 'dialect' | 'traceId' | 'missing'>): Record<string, string> {
  return {
    [RECORD_HEADERS.verdict]: verdict,
    [RECORD_HEADERS.state]: state,
    [RECORD_HEADERS.dialect]: dialect,
    [RECORD_HEADERS.trace]: traceId,
    ...(missing.length === 0
      ? {}
      : { [RECORD_HEADERS.missing]: String(missing.length), [RECORD_HEADERS.missingList]: asciiList(missing) }),
  }
}

function asciiList(items: readonly string[]): string {
  const written: string[] = []
  let length = 0
  for (const item of items) {
    const text = toAscii(JSON.stringify(item))
    length += text.length + 1
    if (length > MAX_LIST_LENGTH) break
    written.push(text)
  }
  return `[${written.join(',')}]`
}

const toAscii = (json: string): string =>
  json.replaceAll(/[^\u0020-\u007E]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
