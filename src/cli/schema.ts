import { schemaDdl } from '../server/index.js'
import { defineCommand } from './command.js'
import { EXIT } from './exit-code.js'
import { print } from './terminal.js'

/** `planspan schema`: prints the store's tables and views as SQL. */
export const command = defineCommand({
  options: {
    cluster: {
      type: 'string',
      valueHint: 'NAME',
      description: 'For this ClickHouse cluster: Replicated tables below Distributed ones',
    },
    database: { type: 'string', valueHint: 'NAME', default: 'otel', description: 'The ClickHouse database' },
  },
  async run({ options: { cluster, database } }) {
    print(schemaDdl({ database, ...(cluster === undefined ? {} : { cluster }) }).trimEnd())
    return EXIT.done
  },
})
