import { pagePath } from '../client/index.js'
import { defineCommand } from './command.js'
import { EXIT } from './exit-code.js'
import { connect } from './server/connect.js'
import { serverOptions } from './server/resolve-server.js'
import { print } from './output/terminal.js'

/** `planspan open`: prints links to the pages of plans. */
export const command = defineCommand({
  argument: { name: 'ID', isVariadic: true, description: 'Plans, each with its own page; omit them for the list' },
  options: {
    source: { type: 'string', valueHint: 'NAME', description: 'The import of this source' },
    trace: { type: 'string', valueHint: 'ID', description: 'The record of this trace' },
    json: { type: 'boolean', description: 'Print each link as a line of JSON' },
    ...serverOptions,
  },
  async run({ options: { source, trace, json: asJson = false, ...options }, args }) {
    const { client, server } = await connect(options)
    // A link to a server that does not answer is useless.
    await client.readiness()
    const paths = args.length === 0 ? ['/plans'] : args.map((planId) => pagePath({ planId, source, trace }))
    for (const path of paths) {
      const url = `${server.endpoint}${path}`
      print(asJson ? JSON.stringify({ url }) : url)
    }
    return EXIT.done
  },
})
