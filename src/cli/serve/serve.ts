import { statSync } from 'node:fs'
import process from 'node:process'

import { PlanspanError } from '../../error.js'
import { DAYS_AHEAD, DEFAULT_YEARS } from '../../semconv/index.js'
import { startServer, type RunningServer, type ServerOptions } from '../../server/index.js'
import { shownUrl } from '../../base/shown-url.js'
import { PLANSPAN_VERSION } from '../../base/version.js'
import { clickhouseUrl } from '../store/store-options.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { wholeNumber } from '../option-values.js'
import { StoppedBySignal, stopSignal } from '../stop-signal.js'
import { createLog, logFormat, logWarnings, logOutages } from './server-log.js'
import { sendOwnTraces } from './own-traces.js'
import { print, styled } from '../output/terminal.js'
import { plural } from '../output/text-layout.js'

/** `planspan serve`: runs the receiver and the HTTP interface until a signal stops them. */
export const command = defineCommand({
  options: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      default: './planspan-data',
      description: 'Directory of the embedded ClickHouse',
    },
    port: {
      type: 'string',
      valueHint: 'PORT',
      default: '4318',
      description: 'For OTLP and everything else; 0 picks a free port',
    },
    'grpc-port': {
      type: 'string',
      valueHint: 'PORT',
      description: 'Also receive OTLP over gRPC, by convention on 4317; 0 picks a free port',
    },
    'jaeger-port': {
      type: 'string',
      valueHint: 'PORT',
      description: 'Also serve Jaeger as its remote storage, over gRPC; 0 picks a free port',
    },
    'jaeger-url': {
      type: 'string',
      valueHint: 'URL',
      description: 'URL of Jaeger’s page, such as http://127.0.0.1:16686, to which planspan’s page links',
    },
    host: {
      type: 'string',
      valueHint: 'HOST',
      default: '127.0.0.1',
      description: 'The address to listen on; beyond loopback with --tokens or --open, and TLS or --plain-http',
    },
    tokens: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Require a token of this file, which `planspan token create` creates',
    },
    open: {
      type: 'boolean',
      description: 'Allow everybody who reaches --host to send spans and read every record',
    },
    'tls-cert': {
      type: 'string',
      valueHint: 'FILE',
      description: 'Use TLS on all ports, with this certificate and its intermediate certificates, in PEM',
    },
    'tls-key': {
      type: 'string',
      valueHint: 'FILE',
      description: 'Its private key, in PEM; both files are read again when they change',
    },
    'plain-http': {
      type: 'boolean',
      description: 'Beyond loopback, do not use TLS, for example behind a proxy that terminates it',
    },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description:
        'A ClickHouse server, http://user@host:8123, instead of the embedded one, with its password in CLICKHOUSE_PASSWORD or in the URL',
    },
    database: { type: 'string', valueHint: 'NAME', default: 'otel', description: 'The ClickHouse database' },
    retention: {
      type: 'string',
      valueHint: 'DAYS',
      description: 'Drop spans after this number of days (default: never)',
    },
    'time-window': {
      type: 'string',
      valueHint: 'YEARS',
      default: String(DEFAULT_YEARS),
      description: `Reject spans that start longer ago, or more than ${String(DAYS_AHEAD)} days ahead; records keep such times as text`,
    },
    'cold-after': {
      type: 'string',
      valueHint: 'DAYS',
      description: 'Move spans to a slower, cheaper disk after this number of days (default: never)',
    },
    'cold-data': {
      type: 'string',
      valueHint: 'DIR',
      description: 'A directory on that disk, for the embedded ClickHouse (default: that of the last start)',
    },
    'cold-volume': {
      type: 'string',
      valueHint: 'POLICY.VOLUME',
      description: 'A storage policy and its volume on that disk, with --clickhouse',
    },
    hosts: {
      type: 'string',
      valueHint: 'URL,URL,…',
      description:
        'All hosts of a cluster, with --clickhouse, for `planspan delete` (default: those in ClickHouse’s configuration)',
    },
    fsync: {
      type: 'boolean',
      description: 'Acknowledge spans only after they are on the disk: slower, but a power failure loses none',
    },
    redact: {
      type: 'boolean',
      description: 'Mask secrets in all spans and records that arrive, for senders that do not mask them',
    },
    'cors-origin': {
      type: 'string',
      valueHint: 'ORIGIN',
      multiple: true,
      description:
        'Allow requests from pages of this origin, such as https://app.example.com; repeat it for more origins',
    },
    'log-format': {
      type: 'string',
      valueHint: 'text|json',
      default: 'text',
      description: 'The format of the lines on standard error',
    },
    'log-requests': {
      type: 'boolean',
      description: 'Log every request, not only slow ones',
    },
    'trace-endpoint': {
      type: 'string',
      valueHint: 'URL',
      description: 'Send traces of planspan’s own work to this OTLP receiver, not to this server (default: none)',
    },
    json: { type: 'boolean', description: 'Print one line of JSON when ready' },
  },
  async run({ options }) {
    const port = wholeNumber('port', options.port, { min: 0, max: 65_535 })
    const grpcPort = wholeNumber('grpc-port', options['grpc-port'], { min: 0, max: 65_535 })
    const jaegerPort = wholeNumber('jaeger-port', options['jaeger-port'], { min: 0, max: 65_535 })
    const retentionDays = wholeNumber('retention', options.retention, { min: 1 })
    const timeWindowYears = wholeNumber('time-window', options['time-window'], { min: 1, max: 50 })
    const coldAfterDays = wholeNumber('cold-after', options['cold-after'], { min: 1 })
    const { 'cold-data': coldDirectory, 'cold-volume': coldVolume } = options
    if (options.data === '') throw new PlanspanError('usage', '--data takes a directory, not "".')
    if (coldDirectory === '') throw new PlanspanError('usage', '--cold-data takes a directory, not "".')
    const log = createLog(logFormat(options['log-format']))
    logWarnings(log)
    const stop = stopSignal()
    const traceEndpoint = options['trace-endpoint']
    const address = { host: options.host, port: port ?? 0 }
    const ownTraces = traceEndpoint === undefined ? undefined : await sendOwnTraces(traceEndpoint, address, log)
    const starting = startServer({
      dataDirectory: options.data,
      host: options.host,
      database: options.database,
      ...(port === undefined ? {} : { port }),
      ...(grpcPort === undefined ? {} : { grpcPort }),
      ...(jaegerPort === undefined ? {} : { jaegerPort }),
      ...(options['jaeger-url'] === undefined ? {} : { jaegerUrl: jaegerUrl(options['jaeger-url']) }),
      ...(options.clickhouse === undefined ? {} : { clickhouse: clickhouseUrl(options.clickhouse) }),
      ...(retentionDays === undefined ? {} : { retentionDays }),
      ...(timeWindowYears === undefined ? {} : { timeWindowYears }),
      ...(coldAfterDays === undefined ? {} : { coldAfterDays }),
      ...(coldDirectory === undefined ? {} : { coldDirectory }),
      ...(coldVolume === undefined ? {} : { coldVolume }),
      ...(options.tokens === undefined ? {} : { tokensFile: options.tokens }),
      open: options.open === true,
      ...tlsFiles(options['tls-cert'], options['tls-key']),
      plainHttp: options['plain-http'] === true,
      ...(options.hosts === undefined ? {} : { hosts: options.hosts }),
      log,
      logRequests: options['log-requests'] === true,
      ...(ownTraces && { tracerProvider: ownTraces.tracerProvider }),
      corsOrigins: options['cors-origin'] ?? [],
      fsync: options.fsync === true,
      redact: options.redact === true,
      onSlowStart: ({ seconds, said }) => {
        const message =
          `ClickHouse has been starting for ${plural(seconds, 'second')}, and planspan waits for it; Ctrl-C gives up. ` +
          `The last line of its log: ${said}`
        log({ level: 'warn', event: 'clickhouse_starting', message, fields: { seconds } })
      },
      onClickHouseState: logOutages(log),
    })
    const server = await Promise.race([starting, stop])
    // ClickHouse, which is still starting, ends with this process.
    if (typeof server === 'string') throw new StoppedBySignal(server)
    print(options.json ? describeAsJson(server) : describeForPeople(server, coldAfterDays, options.tokens))
    const { url, database } = server
    const fields = { version: PLANSPAN_VERSION, url, database, pid: process.pid }
    log({ level: 'info', event: 'started', message: 'planspan is ready.', fields })
    await stop
    log({ level: 'info', event: 'stopping', message: 'Storing received spans, then stopping.' })
    await server.close()
    await ownTraces?.close()
    log({ level: 'info', event: 'stopped', message: 'Stopped.' })
    return EXIT.done
  },
})

function tlsFiles(cert: string | undefined, key: string | undefined): Pick<ServerOptions, 'tls'> {
  if (cert === undefined && key === undefined) return {}
  if (cert && key) return { tls: { cert, key } }
  throw new PlanspanError('usage', 'TLS needs a certificate and its key: give both --tls-cert FILE and --tls-key FILE.')
}

/** Checks a page's URL and returns it without a trailing slash. Throws `usage`. */
function jaegerUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  throw new PlanspanError(
    'usage',
    `--jaeger-url takes a URL such as http://127.0.0.1:16686, not ${JSON.stringify(given)}.`,
  )
}

function describeAsJson(server: RunningServer): string {
  const { url, grpcUrl, jaegerEndpoint, embedded, dataDirectory, coldDirectory } = server
  return JSON.stringify({
    url,
    grpcUrl: grpcUrl ?? null,
    jaegerEndpoint: jaegerEndpoint ?? null,
    clickhouseUrl: shownUrl(server.clickhouseUrl),
    clickhouseReaderUrl: embedded ? shownUrl(embedded.readerUrl) : null,
    clickhouseNativePort: embedded?.nativePort ?? null,
    credentialsFile: embedded?.credentialsFile ?? null,
    pid: process.pid,
    dataDirectory: dataDirectory ?? null,
    coldDirectory: coldDirectory ?? null,
  })
}

function describeForPeople(
  server: RunningServer,
  coldAfterDays: number | undefined,
  tokens: string | undefined,
): string {
  const { url, grpcUrl, jaegerEndpoint, embedded, dataDirectory, coldDirectory, database } = server
  const rows: [name: string, value: string, remark: string][] = [
    ['Page', `${url}/plans`, 'all plans, live, in the browser'],
    ['Receiver', `${url}/v1/traces`, 'OTLP over HTTP, protobuf and JSON'],
    ...(grpcUrl === undefined ? [] : [['gRPC', grpcUrl, 'OTLP over gRPC'] satisfies [string, string, string]]),
    ['Records', `${url}/api/records`, 'used by `planspan list` and `planspan show`'],
    ...(jaegerEndpoint === undefined
      ? []
      : [['Jaeger', jaegerEndpoint, 'Jaeger’s remote storage, over gRPC'] satisfies [string, string, string]]),
    ['ClickHouse', shownUrl(server.clickhouseUrl), `the database is ${database}`],
    ...(embedded
      ? (
          [
            ['Read-only', shownUrl(embedded.readerUrl), 'for dashboards'],
            ['Native', `127.0.0.1:${String(embedded.nativePort)}`, 'the same users over the native protocol'],
            ['Passwords', embedded.credentialsFile, 'of both users'],
          ] as const
        ).map((row): [string, string, string] => [...row])
      : []),
    ...(tokens === undefined ? [] : [['Tokens', tokens, 'every request needs one'] satisfies [string, string, string]]),
    ...(dataDirectory === undefined ? [] : [['Data', dataDirectory, ''] satisfies [string, string, string]]),
    ...(dataDirectory === undefined || coldDirectory === undefined
      ? []
      : [
          ['Cold', coldDirectory, aboutCold(coldAfterDays, [dataDirectory, coldDirectory])] satisfies [
            string,
            string,
            string,
          ],
        ]),
  ]
  const lines = rows.map(
    ([name, value, remark]) =>
      `  ${name.padEnd(12)}${styled('cyan', value)}${remark === '' ? '' : `  ${styled('dim', remark)}`}`,
  )
  return [`${styled('bold', 'planspan')} ${PLANSPAN_VERSION} is ready. Ctrl-C stops it.`, '', ...lines, ''].join('\n')
}

function aboutCold(afterDays: number | undefined, directories: readonly string[]): string {
  const [hot, cold] = directories.map((directory) => statSync(directory).dev)
  const disk = hot === cold ? ', on the same disk as the data' : ''
  return afterDays === undefined
    ? `spans that have moved; none move without --cold-after${disk}`
    : `spans older than ${plural(afterDays, 'day')}${disk}`
}
