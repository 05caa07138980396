#!/usr/bin/env node
import process from 'node:process'

import { runCli } from './run.js'

// A reader such as `head` closes the pipe when it has read enough; the rest of the output can be dropped.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

process.exitCode = await runCli(process.argv.slice(2))
