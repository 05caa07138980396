import type { DecodedRecord } from '../../mapping/index.js'
import { exportHead, type LineOf } from './export-line.js'

/** Whether a record was converted to training messages. */
export const isChat = (made: DecodedRecord | Error | undefined): made is DecodedRecord =>
  made !== undefined && !(made instanceof Error) && made.dialect === 'chat'

/** Returns a line for each line of a record's messages. Skips records unfit for training unless requested. */
export function chatLines(record: DecodedRecord, of: LineOf & { readonly incomplete: boolean }): string {
  if (!of.incomplete && record.verdict !== 'complete') return ''
  const head = exportHead(record, of)
  return record.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${head},"record":${line}}\n`)
    .join('')
}
