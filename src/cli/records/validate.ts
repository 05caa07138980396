import type { DialectName } from '../../mapping/index.js'
import { checkRecords, type InvalidRecord } from './check-records.js'
import { defineCommand } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { isMissingFile, isUnreadable, openInputs, type Input } from './input.js'
import { Progress } from '../output/progress-bar.js'
import { encodeOptionsOf, recordOptions } from './read-records.js'
import { note, print, styled } from '../output/terminal.js'
import { oneLine } from '../output/text-layout.js'

const MAX_ERROR_LENGTH = 240

/** `planspan validate`: checks the records of files, and counts the valid ones. */
export const command = defineCommand({
  argument: { name: 'FILE', isVariadic: true, description: 'Files of records; - is standard input' },
  options: {
    format: recordOptions.format,
    json: { type: 'boolean', description: 'One JSON document per file: log_path, total, valid, invalid, missing_file' },
  },
  async run({ options, args }) {
    const { format = 'auto' } = encodeOptionsOf(options.format, 'UTC')
    let exitCode: ExitCode = EXIT.done
    for (const input of openInputs(args)) {
      const invalid: InvalidRecord[] = []
      const onInvalid = (found: InvalidRecord): void => {
        if (options.json) invalid.push(found)
        else print(`${input.name}:${String(found.line)}: ${oneLine(found.error)}`)
      }
      try {
        const counts = await validateFile(input, { format, onInvalid })
        if (options.json) print(report(input.name, { ...counts, invalid, missing_file: false }))
        else print(`${input.name}: ${summary(counts)}`)
        if (counts.valid < counts.total || counts.total === 0) exitCode ||= EXIT.different
      } catch (error) {
        if (!isUnreadable(error)) throw error
        if (options.json && isMissingFile(error))
          print(report(input.name, { total: 0, valid: 0, invalid, missing_file: true }))
        else note(`${styled('red', 'Error:')} ${error.message}`)
        exitCode = EXIT.usage
      }
    }
    return exitCode
  },
})

interface Counts {
  readonly total: number
  readonly valid: number
}

interface ValidateFileOptions {
  readonly format: 'auto' | DialectName
  readonly onInvalid: (invalid: InvalidRecord) => void
}

/** Checks a file's records one by one and counts them. */
async function validateFile(input: Input, { format, onInvalid }: ValidateFileOptions): Promise<Counts> {
  const progress = new Progress(input.name, await input.size())
  let read = 0
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.chunks()) {
      read += chunk.length
      yield chunk
    }
  }
  let total = 0
  let valid = 0
  try {
    for await (const result of checkRecords(chunks(), format)) {
      total++
      if ('error' in result) onInvalid({ line: result.line, error: shortened(result.error) })
      else valid++
      progress.update(read, `${String(total)} records`)
    }
  } finally {
    progress.end()
  }
  return { total, valid }
}

const shortened = (message: string): string =>
  message.length <= MAX_ERROR_LENGTH ? message : `${message.slice(0, MAX_ERROR_LENGTH - 3)}...`

const report = (name: string, counts: object): string => JSON.stringify({ log_path: name, ...counts }, null, 2)

function summary({ total, valid }: Counts): string {
  if (total === 0) return 'no records'
  const counts = `${String(valid)} of ${String(total)} ${total === 1 ? 'record' : 'records'} valid`
  return valid === total ? styled('green', counts) : styled('red', counts)
}
