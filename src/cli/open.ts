import { pagePath } from '../client/index.js'
import { defineCommand } from './command.js'
import { EXIT } from './exit-code.js'
import { connect } from './server/connect.js'
import { serverOptions } from './server/resolve-server.js'
import { print } from './output/terminal.js'

/** `planspan open`: shows the server's page in the browser. */
export const command = defineCommand({
  argument: { name: 'ID', isVariadic: true, description: 'Plans, each in a page of its own; without any, the list' },
  options: {
    source: { type: 'string', valueHint: 'NAME', description: 'The import of this source' },
    trace: { type: 'string', valueHint: 'ID', description: 'The one of this trace' },
    print: { type: 'boolean', description: 'Print the address, and open nothing' },
    json: { type: 'boolean', description: 'Print the address as a line of JSON, and open nothing' },
    ...serverOptions,
  },
  async run({ options: { source, trace, print: isPrinted = false, json: asJson = false, ...options }, args }) {
    const { client, server } = await connect(options)
    // A browser would only say that nothing answers.
    await client.readiness()
    const paths = args.length === 0 ? ['/plans'] : args.map((planId) => pagePath({ planId, source, trace }))
    for (const path of paths) {
      const url = `${server.endpoint}${path}`
      print(asJson ? JSON.stringify({ url }) : url)
      if (isPrinted || asJson) continue
      const { default: open } = await import('open')
      await open(url)
    }
    return EXIT.done
  },
})
