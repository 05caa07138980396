import { defineCommand } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { isUnreadable, openInputs, type Input } from '../records/input.js'
import { encodeOptionsOf, recordOptions } from '../records/read-records.js'
import { connect } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { senderTo } from '../records/span-batch.js'
import { askSpanTimes } from '../records/accepted-span-times.js'
import { note, print, styled } from '../output/terminal.js'
import { oneLine, plural } from '../output/text-layout.js'
import { importFile, type ImportFileOptions, type ImportResult } from './import-file.js'

const MAX_PLAN_IDS = 5

/** `planspan import`: records → spans → OTLP. */
export const command = defineCommand({
  argument: { name: 'FILE', isVariadic: true, description: 'Files of records; - is standard input' },
  options: {
    ...recordOptions,
    source: {
      type: 'string',
      valueHint: 'NAME',
      default: '',
      description: 'Keeps records with the same id from different places apart',
    },
    'keep-going': {
      type: 'boolean',
      description: 'Import the valid records of a file with invalid ones, and continue after such a file',
    },
    redact: { type: 'boolean', description: 'Mask secrets; such records are not rebuilt byte for byte' },
    json: { type: 'boolean', description: 'One JSON line per file' },
    ...serverOptions,
  },
  async run({ options, args }) {
    const inputs = openInputs(args)
    const { source, redact: redacted = false, 'keep-going': keepGoing = false } = options
    const given = encodeOptionsOf(options.format, options['time-zone'])
    const { server, client } = await connect(options)
    const encodeOptions = { ...given, source, redacted, times: await askSpanTimes(client) }
    const sender = senderTo(server, { redact: redacted ? {} : false })
    let exitCode: ExitCode = EXIT.done
    for (const [index, input] of inputs.entries()) {
      if (await importOne(input, { sender, options: encodeOptions, keepGoing }, options.json)) continue
      exitCode = EXIT.usage
      const left = inputs.length - index - 1
      if (keepGoing || left === 0) continue
      note(
        `${plural(left, 'more file')} ${left === 1 ? 'is' : 'are'} not imported. --keep-going continues after invalid files.`,
      )
      break
    }
    return exitCode
  },
})

/** Imports a file and prints the outcome. Resolves to true if the whole file is stored. */
async function importOne(input: Input, options: ImportFileOptions, asJson = false): Promise<boolean> {
  const { name } = input
  let result: ImportResult
  try {
    result = await importFile(input, options)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    note(`${styled('red', 'Error:')} ${error.message}`)
    return false
  }
  if (asJson) print(jsonOf(name, result))
  else show(name, result, options.keepGoing)
  return result.bad.length === 0 && result.rejected === 0
}

const jsonOf = (file: string, { planIds, bad, ...counts }: ImportResult): string =>
  JSON.stringify({
    file,
    ...counts,
    planIds: [...planIds],
    bad: bad.map(({ line, error: { code, message } }) => ({ line, code, detail: message })),
  })

function show(name: string, result: ImportResult, keepGoing: boolean): void {
  for (const { line, error } of result.bad) {
    note(`${name}: ${styled('red', 'bad record')} from line ${String(line)} on: ${error.message}`)
  }
  if (result.bad.length > 0 && !keepGoing && result.records === 0) {
    note(`${name}: nothing was imported. --keep-going imports the valid records of a file.`)
  } else print(summaryOf(name, result))
  if (result.rejected > 0) {
    note(`${name}: ${styled('red', `${plural(result.rejected, 'span')} refused`)}: ${result.reasons.join(' ')}`)
  }
}

function summaryOf(name: string, { records, spans, planIds, bad }: ImportResult): string {
  const refused = bad.length === 0 ? '' : `, ${plural(bad.length, 'record')} refused`
  return `${name}: ${plural(records, 'record')}, ${plural(spans, 'span')}${refused}${idList(planIds)}`
}

function idList(planIds: ReadonlySet<string>): string {
  if (planIds.size === 0) return ''
  const shown = [...planIds].slice(0, MAX_PLAN_IDS).map((id) => oneLine(id))
  const more = planIds.size - shown.length
  return `: ${shown.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`
}
