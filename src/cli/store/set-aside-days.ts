import { setAsideDays, type SetAside } from '../../server/index.js'
import { DAYS_AHEAD, DEFAULT_YEARS } from '../../semconv/index.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { wholeNumber } from '../option-values.js'
import { print } from '../output/terminal.js'
import { plural } from '../output/text-layout.js'

/** `planspan set-aside`: moves data out of an embedded store if it lies on days for which `serve` rejects spans. */
export const command = defineCommand({
  options: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      default: './planspan-data',
      description: 'Directory of the embedded ClickHouse; no server may be running there',
    },
    'time-window': {
      type: 'string',
      valueHint: 'YEARS',
      default: String(DEFAULT_YEARS),
      description: `Keep data that is not older, and at most ${String(DAYS_AHEAD)} days ahead`,
    },
    json: { type: 'boolean', description: 'One JSON document: the parts that were set aside, and their directories' },
  },
  async run({ options }) {
    const timeWindowYears = wholeNumber('time-window', options['time-window'], { min: 1, max: 50 })
    const tables = await setAsideDays({ dataDirectory: options.data, timeWindowYears })
    if (options.json) print(JSON.stringify({ tables }))
    else print(tables.length === 0 ? 'No data lies outside the time window.' : describe(tables))
    return EXIT.done
  },
})

function describe(tables: readonly SetAside[]): string {
  const lines = tables.flatMap(({ table, parts, days, directories }) => [
    `${table}: ${plural(parts, 'part')} of ${plural(days, 'partition')}, now in`,
    ...directories.map((directory) => `  ${directory}`),
  ])
  return [
    ...lines,
    'Nothing is deleted. docs/deployment.md#spans-of-very-many-days shows how to inspect the data, and to bring it back.',
  ].join('\n')
}
