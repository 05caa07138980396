import type { DecodedRecord } from '../../mapping/index.js'
import { exportHead, type LineOf } from './export-line.js'

/** Whether a record was made to messages for training. */
export const isChat = (made: DecodedRecord | Error | undefined): made is DecodedRecord =>
  made !== undefined && !(made instanceof Error) && made.dialect === 'chat'

/** A line for each line of a record's messages; none for what nobody should be trained on, unless that is wanted. */
export function chatLines(record: DecodedRecord, of: LineOf & { readonly incomplete: boolean }): string {
  if (!of.incomplete && record.verdict !== 'complete') return ''
  const head = exportHead(record, of)
  return record.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${head},"record":${line}}\n`)
    .join('')
}
