import { defineCommand } from './command.js'
import { encodeArgs, encodeOptionsOf } from './encode-option.js'
import { EXIT, type ExitCode } from './exit-code.js'
import { isMissingFile, isUnreadable, openInputs } from './read-input.js'
import { note, oneLine, print, styled } from './terminal.js'
import { validateFile, type InvalidRecord } from './validate-file.js'

/** `planspan validate`: checks records line by line, and counts them. */
export const command = defineCommand({
  argument: { name: 'FILE', isVariadic: true, description: 'Files of records; - is standard input' },
  options: {
    format: encodeArgs.format,
    json: { type: 'boolean', description: 'A JSON document a file: log_path, total, valid, invalid, missing_file' },
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
        else print(`${input.name}: ${verdict(counts)}`)
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

const report = (name: string, counts: object): string => JSON.stringify({ log_path: name, ...counts }, null, 2)

function verdict({ total, valid }: { readonly total: number; readonly valid: number }): string {
  if (total === 0) return 'no records'
  const counts = `${String(valid)} of ${String(total)} ${total === 1 ? 'record' : 'records'} valid`
  return valid === total ? styled('green', counts) : styled('red', counts)
}
