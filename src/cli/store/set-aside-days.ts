import { setAsideDays, type SetAside } from '../../server/index.js'
import { DAYS_AHEAD, DEFAULT_YEARS } from '../../semconv/index.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { wholeNumber } from '../option-values.js'
import { print } from '../output/terminal.js'
import { plural } from '../output/text-layout.js'

/** `planspan set-aside`: takes out of an embedded store what lies on days of which `planspan serve` takes no spans. */
export const command = defineCommand({
  options: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      default: './planspan-data',
      description: 'Where the embedded ClickHouse keeps its files; no server may be running there',
    },
    'time-window': {
      type: 'string',
      valueHint: 'YEARS',
      default: String(DEFAULT_YEARS),
      description: `Leave what is no older, and no more than ${String(DAYS_AHEAD)} days ahead`,
    },
    json: { type: 'boolean', description: 'One JSON document: what was set aside, and where it is now' },
  },
  async run({ options }) {
    const timeWindowYears = wholeNumber('time-window', options['time-window'], { min: 1, max: 50 })
    const tables = await setAsideDays({ dataDirectory: options.data, timeWindowYears })
    if (options.json) print(JSON.stringify({ tables }))
    else print(tables.length === 0 ? 'Nothing lies on odd days.' : describe(tables))
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
    'Nothing is deleted. docs/deployment.md#spans-of-very-many-days tells how to look at it, and to bring it back.',
  ].join('\n')
}
