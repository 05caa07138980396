#!/usr/bin/env node
import process from 'node:process'

import { runCli } from './run.js'

// A reader that has seen enough, such as `head`, closes the pipe; the rest of the output is nobody's loss.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

process.exitCode = await runCli(process.argv.slice(2))
