import type { DialectName, FoundRecord } from '../../mapping/index.js'
import { checkRecords, type InvalidRecord } from '../check-record.js'
import type { Input } from '../input.js'

/** One valid record of a file, and what the others are. */
export interface Selection {
  readonly selected: FoundRecord | undefined
  /** Among the valid ones, from 0. */
  readonly index: number
  /** How many valid ones there are. */
  readonly available: number
  readonly invalid: readonly InvalidRecord[]
}

/**
 * Reads a file and keeps the valid record of an index, negative ones counted from the end; an index that reaches beyond
 * the file takes its first or last record.
 */
export async function selectRecord(input: Input, format: 'auto' | DialectName, index: number): Promise<Selection> {
  const invalid: InvalidRecord[] = []
  let available = 0
  /** The records that may yet be the one: the last so many, or the latest up to the index. */
  const kept: FoundRecord[] = []
  const most = index < 0 ? -index : 1
  for await (const result of checkRecords(input.chunks(), format)) {
    if ('error' in result) {
      invalid.push({ line: result.line, error: result.error.split('\n')[0] ?? '' })
      continue
    }
    available++
    if (index >= 0 && available > index + 1) continue
    kept.push(result)
    if (kept.length > most) kept.shift()
  }
  const wanted = index < 0 ? available + index : index
  return { selected: kept[0], index: Math.max(0, Math.min(wanted, available - 1)), available, invalid }
}
