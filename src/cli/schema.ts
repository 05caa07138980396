import { defineCommand } from 'citty'

import { schemaDdl } from '../server/index.js'
import { print } from './terminal.js'

/** `planspan schema`: the store's tables and views as SQL. */
export const schema = defineCommand({
  meta: { name: 'schema', description: 'Print the SQL of the store’s tables and views' },
  args: {
    cluster: {
      type: 'string',
      valueHint: 'NAME',
      description: 'For this ClickHouse cluster: Replicated tables below Distributed ones',
    },
    database: { type: 'string', valueHint: 'NAME', default: 'otel', description: 'The ClickHouse database' },
  },
  run({ args }) {
    const { cluster, database } = args
    print(schemaDdl({ database, ...(cluster === undefined ? {} : { cluster }) }).trimEnd())
  },
})
