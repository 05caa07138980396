import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { wholeNumber } from '../options.js'
import { connect } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { isTerminal, print, terminalWidth } from '../terminal.js'
import { comparisonLines } from './comparison-lines.js'

/** `planspan compare`: sets plans side by side. */
export const command = defineCommand({
  argument: {
    name: 'ID',
    isVariadic: true,
    description: 'The ids of plans, or of agents’ steps; each is compared with the first',
  },
  options: {
    trace: {
      type: 'string',
      multiple: true,
      valueHint: 'ID',
      description: 'The trace of the first id, given again for each further one; empty for any',
    },
    source: {
      type: 'string',
      multiple: true,
      valueHint: 'NAME',
      description: 'The import of this source, in the same way',
    },
    limit: { type: 'string', valueHint: 'N', default: '200', description: 'At most so many rows, up to 1000' },
    json: { type: 'boolean', description: 'The answer of GET /api/compare' },
    ...serverOptions,
  },
  async run({ options, args }) {
    if (args.length < 2) {
      throw new PlanspanError(
        'usage',
        'Name two plans or more: planspan compare ID ID. `planspan list` tells which are.',
      )
    }
    const limit = wholeNumber('limit', options.limit, { min: 1, max: 1000 })
    const { trace = [], source = [] } = options
    const plans = args.map((planId, at) => ({ planId, trace: trace[at], source: source[at] }))
    const { client } = await connect(options)
    const compared = await client.compare(plans, { limit })
    const width = isTerminal() ? terminalWidth() : Number.POSITIVE_INFINITY
    for (const line of options.json ? [JSON.stringify(compared)] : comparisonLines(compared, width)) print(line)
    return compared.comparisons.every(({ isSame }) => isSame) ? EXIT.done : EXIT.different
  },
})
