import type { decodeRecord } from '../../src/mapping/index.js'

const isTime = (gap: string): boolean => gap.startsWith('the time at ')

/** The verdict on an unusual record, which may lack times that cannot be read, and nothing else. */
export const verdictBesidesTimes = (record: ReturnType<typeof decodeRecord>): string | undefined =>
  record?.verdict === 'partial' && record.missing.length > 0 && record.missing.every(isTime)
    ? 'complete'
    : record?.verdict
