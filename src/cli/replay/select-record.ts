import type { DialectName, FoundRecord } from '../../mapping/index.js'
import { checkRecords, type InvalidRecord } from '../records/check-records.js'
import type { Input } from '../records/input.js'

/** The selected record of a file, the number of valid records, and the invalid ones. */
export interface Selection {
  readonly selected: FoundRecord | undefined
  /** The index among the valid records, from 0. */
  readonly index: number
  /** The number of valid records. */
  readonly available: number
  readonly invalid: readonly InvalidRecord[]
}

/**
 * Reads a file and selects the valid record at an index; a negative index counts from the end. An index beyond the file
 * selects its first or last record.
 */
export async function selectRecord(input: Input, format: 'auto' | DialectName, index: number): Promise<Selection> {
  const invalid: InvalidRecord[] = []
  let available = 0
  /** The candidates so far: the last `most` records. */
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
