import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { isMissingFile, openInputs } from '../records/input.js'
import { encodeOptionsOf, recordOptions } from '../records/read-records.js'
import { note, print } from '../output/terminal.js'
import { missingJson, replayJson } from './replay-json.js'
import { plannerRunOf } from './planner-run.js'
import { selectRecord } from './select-record.js'
import { replayLines } from './replay-lines.js'

/** `planspan replay`: prints a summary of one record. */
export const command = defineCommand({
  argument: { name: 'FILE', description: 'A file of records; - is standard input' },
  options: {
    index: {
      type: 'string',
      valueHint: 'N',
      default: '-1',
      description: 'The index among the valid records, from 0; negative indexes count from the end',
    },
    format: recordOptions.format,
    json: { type: 'boolean', description: 'One JSON document; for a planner run, the output of its own script' },
  },
  async run({ options, args }) {
    const { format = 'auto' } = encodeOptionsOf(options.format, 'UTC')
    const index = indexOf(options.index)
    const [input] = openInputs(args)
    if (!input) return EXIT.usage
    try {
      const selection = await selectRecord(input, format, index)
      const { selected, available, invalid } = selection
      const planner = selected && plannerRunOf(selected)
      if (options.json) print(replayJson(input.name, selection, planner))
      else if (planner && selected) {
        const place = `record ${String(selection.index)} of ${String(available)}, line ${String(selected.line)}`
        for (const line of [`${input.name}: ${place}, ${planner.dialect}`, ...replayLines(planner)]) print(line)
      } else note(`${input.name}: no valid record`)
      if (invalid.length > 0 && !options.json)
        note(`${input.name}: ${String(invalid.length)} invalid: see planspan validate`)
      return planner ? EXIT.done : EXIT.different
    } catch (error) {
      if (!isMissingFile(error) || !options.json) throw error
      print(missingJson(input.name))
      return EXIT.usage
    }
  },
})

function indexOf(text: string): number {
  const index = Number(text)
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(index)) return index
  throw new PlanspanError('usage', `--index takes a whole number, such as 0 or -1, not ${JSON.stringify(text)}.`)
}
