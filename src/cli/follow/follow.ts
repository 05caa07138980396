import { resolve } from 'node:path'
import process from 'node:process'

import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { encodeOptionsOf, recordOptions } from '../records/read-records.js'
import { connect } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { senderTo } from '../server/sender.js'
import { stopSignal } from '../stop-signal.js'
import { Checkpoint } from './checkpoint.js'
import { FollowEvents } from './follow-events.js'
import { FollowFiles } from './follow-files.js'
import { Importer, StoppedFollowing } from './importer.js'
import { LiveOptions } from './live-options.js'
import { FollowLynxe } from './follow-lynxe.js'
import { Outage } from './outage.js'
import { pause } from './pause.js'
import { readHeaders } from './read-headers.js'
import { recognise, SYSTEMS, type Recognised } from './recognize-source.js'
import { Report } from './report.js'
import { SourceAway, type FollowContext, type FollowedSource } from './source.js'
import { StateFile } from './state-file.js'

/** `planspan follow`: imports what a system writes or answers, as it comes. */
export const command = defineCommand({
  argument: {
    name: 'SOURCE',
    description: 'The URL of a Lynxe server or of a stream of events, a file of records, or a directory of such',
  },
  options: {
    system: {
      type: 'string',
      valueHint: SYSTEMS.join('|'),
      default: 'auto',
      description: 'What answers at a URL, where its path does not tell',
    },
    ...recordOptions,
    source: {
      type: 'string',
      valueHint: 'NAME',
      default: '',
      description: 'Keeps records of one id from different places apart',
    },
    interval: { type: 'string', valueHint: 'SECONDS', default: '2', description: 'The pause between two looks' },
    once: { type: 'boolean', description: 'Import what is there and was not imported yet, and end' },
    state: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Where to remember how far the source is imported (default: a file below ~/.local/state/planspan)',
    },
    'header-file': {
      type: 'string',
      valueHint: 'FILE',
      description: 'Headers for the source, `Name: value` a line, such as its Authorization',
    },
    redact: { type: 'boolean', description: 'Mask secrets; such records do not come back byte for byte' },
    json: { type: 'boolean', description: 'Tell what happens as JSON, one line each, on standard output' },
    ...serverOptions,
  },
  async run({ options, args: [source = ''] }) {
    const { source: sourceName, redact: redacted = false, once = false, json = false } = options
    const interval = millisecondsOf(options.interval)
    const recognised = recognise(source, options.system)
    const { server, client } = await connect(options)
    const given = { ...encodeOptionsOf(options.format, options['time-zone']), source: sourceName, redacted }
    const headers = await readHeaders(options['header-file'])
    const stateFile = await StateFile.open(options.state, identityOf(recognised, server.endpoint, given))
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
      await followUntilOver(await open(recognised, headers, context), context, () => live.refresh())
    } catch (error) {
      if (!(error instanceof StoppedFollowing)) throw error
    } finally {
      stop.abort()
    }
    report.end()
    return exitCodeOf(report, context)
  },
})

/** Looks again and again, until all is over, or once. */
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

async function open(recognised: Recognised, headers: Readonly<Record<string, string>>, context: FollowContext) {
  if (recognised.kind === 'files') return new FollowFiles(recognised.path, context)
  if (recognised.kind === 'lynxe') return new FollowLynxe({ ...recognised, headers }, context)
  return FollowEvents.open({ ...recognised, headers }, context)
}

/** What the state belongs to: where from, where to, and how records are read. */
function identityOf(
  recognised: Recognised,
  endpoint: string,
  { format = 'auto', source = '', timeZone = '', redacted = false }: FollowContext['encodeOptions'],
): string[] {
  const from =
    recognised.kind === 'files'
      ? resolve(recognised.path)
      : recognised.kind === 'lynxe'
        ? `${recognised.base} ${recognised.planId ?? ''}`.trim()
        : recognised.url
  return [from, endpoint, source, format, timeZone, ...(redacted ? ['redacted'] : [])]
}

function millisecondsOf(text: string): number {
  const seconds = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && seconds >= 0.1 && seconds <= 86_400) return seconds * 1000
  throw new PlanspanError('usage', `--interval takes seconds from 0.1 to 86400, not ${JSON.stringify(text)}.`)
}

const exitCodeOf = ({ refused }: Report, { once }: FollowContext): ExitCode =>
  once && refused > 0 ? EXIT.usage : EXIT.done
