import { register } from '@planspan/sdk'
import { PlanspanError } from '../../error.js'
import type { RunningServer } from '../../server/index.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { connectTo } from '../server/connect.js'
import { ownServer } from '../server/resolve-server.js'
import { verdictLines } from '../show/show.js'
import { spanTree } from '../show/span-tree.js'
import { stopSignal, untilStopped } from '../stop-signal.js'
import { removeWhenStarted, startTemporaryServer, type TemporaryServer } from '../temporary-server.js'
import { print, styled } from '../output/terminal.js'
import { runDemoAgent } from './demo-agent.js'

const DEFAULT_PORT = 4318

/** `planspan demo`: shows a sample agent's run, from its spans to its record. */
export const command = defineCommand({
  options: {
    once: { type: 'boolean', description: 'End when this is done, with exit code 0' },
    json: { type: 'boolean', description: 'One JSON document: the server, the plan and its record' },
  },
  async run({ options }) {
    const orStopped = untilStopped()
    const starting = startOnUsualPort()
    try {
      const { server } = await orStopped(starting)
      if (!options.json)
        print(`${styled('bold', '1.')} A planspan server with its own ClickHouse listens on ${server.url}.`)
      const planId = await orStopped(runInstrumentedAgent(server))
      await orStopped((options.json ? printJson : showRun)(server, planId))
      if (options.once) return EXIT.done
      if (!options.json) showLinks(server, planId)
      const stop = stopSignal()
      if (!options.json) print(`\nThe server runs until Ctrl-C; its data is removed with it.`)
      await stop
      return EXIT.done
    } finally {
      await removeWhenStarted(starting)
    }
  },
})

/** Starts on the default port of exporters, so that the user's own agent finds the server, else on a free one. */
async function startOnUsualPort(): Promise<TemporaryServer> {
  try {
    return await startTemporaryServer(DEFAULT_PORT)
  } catch (error) {
    if (error instanceof PlanspanError && error.code === 'port_in_use') return startTemporaryServer()
    throw error
  }
}

async function runInstrumentedAgent({ url }: RunningServer): Promise<string> {
  const tracing = await register({ endpoint: url, serviceName: 'planspan-demo', scheduledDelayMillis: 100 })
  try {
    const { planId } = await runDemoAgent()
    return planId
  } finally {
    await tracing.shutdown()
  }
}

async function printJson({ url }: RunningServer, planId: string): Promise<void> {
  const { client } = connectTo(ownServer(url))
  const { bytes, verdict, state, dialect, traceId } = await client.record(planId)
  const { length: spans } = await client.spans(planId)
  const record: unknown = JSON.parse(new TextDecoder().decode(bytes))
  print(JSON.stringify({ url, planId, traceId, spans, dialect, state, verdict, record }))
}

async function showRun({ url }: RunningServer, planId: string): Promise<void> {
  const { client } = connectTo(ownServer(url))
  const record = await client.record(planId)
  const spans = await client.spans(planId)
  print(
    `${styled('bold', '2.')} A sample agent ran; the OpenTelemetry SDK sent its ${String(spans.length)} spans over OTLP:\n`,
  )
  for (const line of spanTree(spans, planId)) print(`   ${line}`)
  print(`\n${styled('bold', '3.')} From the stored spans, its execution record:\n`)
  print(JSON.stringify(withoutSpans(JSON.parse(new TextDecoder().decode(record.bytes))), null, 2))
  print('')
  for (const line of verdictLines(record)) print(`   ${line}`)
}

interface OwnRecord {
  readonly planspan?: { readonly spans?: readonly unknown[] }
}

/** Shortens what a record holds only for its import: nobody reads hundreds of lines of it. */
function withoutSpans(record: OwnRecord): object {
  const { said: _, spans = [], ...planspan }: Record<string, unknown> & OwnRecord['planspan'] = record.planspan ?? {}
  return { ...record, planspan: { ...planspan, spans: `… ${String(spans.length)} spans, for an import of the record` } }
}

function showLinks({ url, embedded }: RunningServer, planId: string): void {
  const lines: (readonly [what: string, command: string])[] = [
    ['In the browser', `${url}/plans/${planId}`],
    ['The record', `curl ${url}/api/records/${planId}`],
    ['As Lynxe answers', `curl ${url}/api/executor/details/${planId}`],
    ['All plans', `curl ${url}/api/records`],
    ...(embedded ? [['The spans, by SQL', queryCommand(embedded)] as const] : []),
  ]
  print(`\n${styled('bold', '4.')} Look further:\n`)
  for (const [what, command] of lines) print(`   ${what.padEnd(18)} ${styled('cyan', command)}`)
}

/** Returns a shell command without a password in it. */
function queryCommand({ readerUrl, credentialsFile }: NonNullable<RunningServer['embedded']>): string {
  const { username, origin } = new URL(readerUrl)
  const password = `$(node -p "require('${credentialsFile}').${username}")`
  return `curl -u ${username}:${password} '${origin}/?query=SELECT+SpanName,Duration+FROM+otel.otel_traces'`
}
