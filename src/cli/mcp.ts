import { once } from 'node:events'
import process from 'node:process'

import { serveOnStdio } from '../mcp/index.js'
import { defineCommand } from './command.js'
import { EXIT } from './exit-code.js'
import { connect } from './server/connect.js'
import { serverOptions } from './server/resolve-server.js'
import { stopSignal } from './stop-signal.js'
import { note } from './output/terminal.js'

/** `planspan mcp`: serves an assistant's tools on standard input and output. */
export const command = defineCommand({
  options: serverOptions,
  async run({ options }) {
    const { client } = await connect(options)
    if (process.stdin.isTTY) {
      note(
        'An assistant starts this command and talks to it: `claude mcp add planspan -- npx planspan mcp`. Ctrl-C ends it.',
      )
    }
    const over = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), stopSignal()])
    const serving = serveOnStdio(client, ({ message }) => note(message))
    await over
    await serving.close()
    return EXIT.done
  },
})
