import type { DialectName, FoundRecord } from '../mapping/index.js'
import { recordError } from './check-record.js'
import type { Input } from './read-input.js'
import { findRecords } from './read-records.js'
import type { InvalidRecord } from './validate-file.js'

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
  for await (const found of findRecords(input.chunks(), format)) {
    const error = 'error' in found ? found.error.message : recordError(found)
    if (error !== undefined || 'error' in found) {
      invalid.push({ line: found.line, error: error?.split('\n')[0] ?? '' })
      continue
    }
    available++
    if (index >= 0 && available > index + 1) continue
    kept.push(found)
    if (kept.length > most) kept.shift()
  }
  const wanted = index < 0 ? available + index : index
  return { selected: kept[0], index: Math.max(0, Math.min(wanted, available - 1)), available, invalid }
}
