import { randomUUID } from 'node:crypto'

import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT, exitCodeOf, type ExitCode } from '../exit-code.js'
import { isUnreadable, openInputs, type Input } from '../records/input.js'
import { encodeOptionsOf, recordOptions } from '../records/read-records.js'
import { asPlanspanError } from '../server/as-planspan-error.js'
import { connectTo } from '../server/connect.js'
import { ownServer, resolveServer, type Server, serverOptions } from '../server/resolve-server.js'
import { senderTo } from '../records/span-batch.js'
import { askSpanTimes } from '../records/accepted-span-times.js'
import { untilStopped } from '../stop-signal.js'
import { removeWhenStarted, startTemporaryServer } from '../temporary-server.js'
import { note, print, styled } from '../output/terminal.js'
import { plural } from '../output/text-layout.js'
import { verifyFile, type Verification } from './verify-file.js'

/** `planspan verify`: proves that records are rebuilt byte for byte, through real OTLP and a real store. */
export const command = defineCommand({
  argument: { name: 'FILE', isVariadic: true, description: 'Files of records; - is standard input' },
  options: {
    ...recordOptions,
    json: { type: 'boolean', description: 'One JSON line per file' },
    ...serverOptions,
    endpoint: {
      ...serverOptions.endpoint,
      description: 'The planspan server (default: a temporary one with an empty store)',
    },
  },
  async run({ options, args }) {
    const inputs = openInputs(args)
    const encodeOptions = encodeOptionsOf(options.format, options['time-zone'])
    const verifyAt = (server: Server) => verifyFiles(inputs, server, { ...options, encodeOptions })
    if (options.endpoint !== undefined) return verifyAt(await resolveServer(options))
    const orStopped = untilStopped()
    const starting = startTemporaryServer()
    try {
      const { server } = await orStopped(starting)
      return await orStopped(verifyAt(ownServer(server.url)))
    } finally {
      await removeWhenStarted(starting)
    }
  },
})

async function verifyFiles(
  inputs: readonly Input[],
  server: Server,
  { encodeOptions, json = false }: { encodeOptions: ReturnType<typeof encodeOptionsOf>; json?: boolean },
): Promise<ExitCode> {
  const { client } = connectTo(server)
  const times = await askSpanTimes(client)
  const sender = senderTo(server)
  let exitCode: ExitCode = EXIT.done
  for (const input of inputs) {
    const source = `verify-${randomUUID()}`
    try {
      const result = await verifyFile(input, { sender, client, options: { ...encodeOptions, source, times } })
      for (const line of json ? [jsonOf(input.name, result)] : describe(input.name, result)) print(line)
      exitCode = worse(exitCode, exitCodeFor(result))
    } catch (thrown) {
      const error = asPlanspanError(thrown)
      if (!(error instanceof PlanspanError)) throw error
      const failure = isUnreadable(error)
        ? styled('red', 'Error: ')
        : `${input.name}: ${styled('red', 'not verified')}: `
      note(`${failure}${error.message}`)
      exitCode = worse(exitCode, exitCodeOf(error))
    }
  }
  return exitCode
}

function exitCodeFor({ differences, rejected }: Verification): ExitCode {
  if (rejected > 0) return EXIT.usage
  return differences.length > 0 ? EXIT.different : EXIT.done
}

const worse = (one: ExitCode, other: ExitCode): ExitCode => (one > other ? one : other)

const jsonOf = (file: string, result: Verification): string =>
  JSON.stringify({ file, identical: result.differences.length === 0, ...result })

function describe(file: string, { records, spans, rejected, reasons, differences }: Verification): string[] {
  const counts = `(${plural(records, 'record')}, ${plural(spans, 'span')})`
  const refused = rejected === 0 ? [] : [`${file}: ${plural(rejected, 'span')} refused: ${reasons.join(' ')}`]
  if (differences.length === 0) return [...refused, `${file}: ${styled('green', 'identical')} ${counts}`]
  return [...refused, `${file}: ${styled('red', 'different')} ${counts}`, ...differences.map((line) => `  ${line}`)]
}
