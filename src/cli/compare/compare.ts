import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { timeOption, wholeNumber } from '../option-values.js'
import { connect } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { isTerminal, note, print, terminalWidth } from '../output/terminal.js'
import { comparisonLines } from './comparison-lines.js'
import { LABELS, labelsOf, setTable, type ComparedSet } from './set-table.js'
import { setsOfDirectory } from './result-directory.js'

/** `planspan compare`: sets plans, or sets of plans, side by side. */
export const command = defineCommand({
  argument: {
    name: 'ID',
    isVariadic: true,
    description: 'The ids of plans, or of agents’ steps; each is compared with the first. Omit ids to compare sets',
  },
  options: {
    trace: {
      type: 'string',
      multiple: true,
      valueHint: 'ID',
      description: 'The trace of the first id; repeat it for each further id, empty for any trace',
    },
    source: {
      type: 'string',
      multiple: true,
      valueHint: 'NAME',
      description: 'The source of the import, in the same way',
    },
    set: {
      type: 'string',
      multiple: true,
      valueHint: 'FILTERS',
      description:
        'A set of plans, by parameters of GET /api/records such as workflow=a&since=7d; repeat it for more sets',
    },
    dir: {
      type: 'string',
      valueHint: 'DIR',
      description: 'The results of a benchmark below this directory, without importing them',
    },
    by: {
      type: 'string',
      valueHint: 'LABEL,…',
      default: 'model,domain,injection',
      description: `The labels that divide the results below --dir into sets, of ${LABELS.join(', ')}`,
    },
    limit: { type: 'string', valueHint: 'N', default: '200', description: 'The largest number of rows, up to 1000' },
    json: { type: 'boolean', description: 'The response of GET /api/compare or, for sets, GET /api/compare/sets' },
    ...serverOptions,
  },
  async run({ options, args }) {
    const { set, dir, by, json: asJson = false } = options
    if ([args.length > 0, set !== undefined, dir !== undefined].filter(Boolean).length > 1) {
      throw new PlanspanError('usage', 'Pass either plan ids, --set or --dir.')
    }
    if (dir !== undefined) return showSets(await setsOfDirectory(dir, labelsOf(by ?? '')), asJson)
    const { client } = await connect(options)
    if (set) return showSets((await client.compareSets(set.map(withTime))).sets, asJson)
    if (args.length < 2) {
      throw new PlanspanError('usage', 'Name at least two plans: planspan compare ID ID. `planspan list` lists them.')
    }
    const limit = wholeNumber('limit', options.limit, { min: 1, max: 1000 })
    const { trace = [], source = [] } = options
    const plans = args.map((planId, at) => ({ planId, trace: trace[at], source: source[at] }))
    const compared = await client.compare(plans, { limit })
    const width = isTerminal() ? terminalWidth() : Number.POSITIVE_INFINITY
    for (const line of asJson ? [JSON.stringify(compared)] : comparisonLines(compared, width)) print(line)
    return compared.comparisons.every(({ isSame }) => isSame) ? EXIT.done : EXIT.different
  },
})

/** Converts an age in `since` to a time, as the server expects it. */
function withTime(filters: string): string {
  const parameters = new URLSearchParams(filters)
  const since = parameters.get('since')
  if (since !== null) parameters.set('since', timeOption('since', since, Date.now()))
  return parameters.toString()
}

function showSets(sets: readonly ComparedSet[], asJson: boolean): ExitCode {
  for (const line of asJson ? [JSON.stringify({ sets })] : setTable(sets)) print(line)
  const partly = sets.find(({ isWhole }) => !isWhole)
  if (partly) note(`${partly.set} has more plans than are counted: only the newest ${String(partly.plans)} are.`)
  return sets.length > 0 && sets.every(({ plans }) => plans > 0) ? EXIT.done : EXIT.different
}
