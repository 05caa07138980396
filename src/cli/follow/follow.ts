import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import process from 'node:process'

import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { LiveOptions } from '../records/accepted-span-times.js'
import { encodeOptionsOf, recordOptions } from '../records/read-records.js'
import { connect } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { senderTo } from '../records/span-batch.js'
import { stopSignal } from '../stop-signal.js'
import { FollowEvents } from './follow-events.js'
import { FollowFiles } from './follow-files.js'
import { FollowLynxe } from './follow-lynxe.js'
import { Importer, StoppedFollowing } from './importer.js'
import { Outage, pause } from './pause.js'
import { recognizeSource, SYSTEMS, type RecognizedSource } from './recognize-source.js'
import { Report } from './report.js'
import { Checkpoint, SourceAway, type FollowContext, type FollowedSource } from './source.js'
import { StateFile } from './state-file.js'

/** `planspan follow`: imports the records that a system writes or serves, as they appear. */
export const command = defineCommand({
  argument: {
    name: 'SOURCE',
    description: 'The URL of a Lynxe server or of an event stream, a file of records, or a directory of such files',
  },
  options: {
    system: {
      type: 'string',
      valueHint: SYSTEMS.join('|'),
      default: 'auto',
      description: 'The system at a URL, if its path does not show it',
    },
    ...recordOptions,
    source: {
      type: 'string',
      valueHint: 'NAME',
      default: '',
      description: 'Keeps records with the same id from different places apart',
    },
    interval: { type: 'string', valueHint: 'SECONDS', default: '2', description: 'The polling interval' },
    once: { type: 'boolean', description: 'Import what exists and was not imported yet, then end' },
    state: {
      type: 'string',
      valueHint: 'FILE',
      description:
        'The file that records how far the source is imported (default: a file below ~/.local/state/planspan)',
    },
    'header-file': {
      type: 'string',
      valueHint: 'FILE',
      description: 'A file with headers for the source, `Name: value` per line, such as Authorization',
    },
    redact: { type: 'boolean', description: 'Mask secrets; such records are not rebuilt byte for byte' },
    json: { type: 'boolean', description: 'Report progress as JSON, one document per line, on standard output' },
    ...serverOptions,
  },
  async run({ options, args: [source = ''] }) {
    const { source: sourceName, redact: redacted = false, once = false, json = false } = options
    const interval = millisecondsOf(options.interval)
    const recognized = recognizeSource(source, options.system)
    const { server, client } = await connect(options)
    const given = { ...encodeOptionsOf(options.format, options['time-zone']), source: sourceName, redacted }
    const headers = await readHeaders(options['header-file'])
    const stateFile = await StateFile.open(options.state, identityOf(recognized, server.endpoint, given))
    const stop = new AbortController()
    void stopSignal().then(() => stop.abort())
    // The reader of the pipe, such as `head`, has closed it.
    process.stdout.once('error', () => stop.abort())
    const { signal } = stop
    const report = new Report({ json })
    const live = new LiveOptions(client, given)
    const sender = senderTo(server, {
      redact: redacted ? {} : false,
      attempts: once ? undefined : 1,
      fetch: (url, init) =>
        fetch(url, { ...init, signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) }),
    })
    const importer = new Importer({
      sender,
      report,
      outage: new Outage('server', report),
      signal,
      reached: stateFile.state.reached,
      waits: !once,
    })
    const checkpoint = new Checkpoint(importer, stateFile)
    const context = { importer, checkpoint, encodeOptions: live.options, report, stateFile, signal, once, interval }
    try {
      await followUntilOver(await open(recognized, headers, context), context, () => live.refresh())
    } catch (error) {
      if (!(error instanceof StoppedFollowing)) throw error
    } finally {
      stop.abort()
    }
    report.end()
    return exitCodeOf(report, context)
  },
})

/** Polls until the source is complete, or once. */
async function followUntilOver(
  source: FollowedSource,
  context: FollowContext,
  refresh: () => Promise<void>,
): Promise<void> {
  const { signal, once, interval, checkpoint, report } = context
  const outage = new Outage('source', report)
  while (!signal.aborted) {
    await refresh()
    try {
      const isOver = await source.look()
      outage.over()
      await checkpoint.save()
      if (isOver || once) return
      await pause(interval, signal)
    } catch (error) {
      if (!(error instanceof SourceAway)) throw error
      await checkpoint.save()
      if (signal.aborted) return
      if (once) throw error.reason
      await outage.wait(error.message, signal)
    }
  }
}

async function open(recognized: RecognizedSource, headers: Readonly<Record<string, string>>, context: FollowContext) {
  if (recognized.kind === 'files') return new FollowFiles(recognized.path, context)
  if (recognized.kind === 'lynxe') return new FollowLynxe({ ...recognized, headers }, context)
  return FollowEvents.open({ ...recognized, headers }, context)
}

/** Identifies the state: the source, the server, and how records are read. */
function identityOf(
  recognized: RecognizedSource,
  endpoint: string,
  { format = 'auto', source = '', timeZone = '', redacted = false }: FollowContext['encodeOptions'],
): string[] {
  const from =
    recognized.kind === 'files'
      ? resolve(recognized.path)
      : recognized.kind === 'lynxe'
        ? `${recognized.base} ${recognized.planId ?? ''}`.trim()
        : recognized.url
  return [from, endpoint, source, format, timeZone, ...(redacted ? ['redacted'] : [])]
}

function millisecondsOf(text: string): number {
  const seconds = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && seconds >= 0.1 && seconds <= 86_400) return seconds * 1000
  throw new PlanspanError('usage', `--interval takes seconds from 0.1 to 86400, not ${JSON.stringify(text)}.`)
}

const exitCodeOf = ({ refused }: Report, { once }: FollowContext): ExitCode =>
  once && refused > 0 ? EXIT.usage : EXIT.done

/** Reads headers from a file, `Name: value` per line, since secrets do not belong on a command line. Throws `usage`. */
export async function readHeaders(path: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (path === undefined) return {}
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PlanspanError('usage', `The header file cannot be read: ${reason}.`, { cause })
  })
  const headers: Record<string, string> = {}
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined) {
      throw new PlanspanError('usage', `${path} has a malformed line. Write each header as \`Name: value\`.`)
    }
    headers[name.toLowerCase()] = value
  }
  return headers
}
