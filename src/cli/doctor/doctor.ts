import process from 'node:process'

import { PlanspanError } from '../../error.js'
import { installAdvice, OPTIONAL_PARTS } from '../../base/advice.js'
import { checkTenants, type Upkeep } from '../../server/index.js'
import { PLANSPAN_VERSION } from '../../base/version.js'
import type { IndexerState, Readiness } from '../../wire/index.js'
import { checkAccess, checkConfiguration, tokenNeeded } from './check-access.js'
import { checkDatabases, checkIndex, checkSchema } from './check-databases.js'
import { checkDisks, checkParts, checkStorage, checkSenders } from './check-disks.js'
import { fail, type Finding, ok, warn } from './finding.js'
import { clickhouseUrl } from '../store/store-options.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { explainTrace } from './explain-trace.js'
import { asPlanspanError } from '../server/as-planspan-error.js'
import { connect, type Connection } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { print, styled } from '../output/terminal.js'

/** The readiness that a server reports to readers. */
type Report = Exclude<Readiness, { planspan: null }>
type Ready = Extract<Readiness, { status: 'ready' }>

const LEVELS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** `planspan doctor`: checks this machine, the server and its store, or explains how a trace is read. */
export const command = defineCommand({
  options: {
    ...serverOptions,
    trace: {
      type: 'string',
      valueHint: 'ID',
      description: 'Explain instead how planspan reads each span of a trace, and why',
    },
    data: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Also check all databases, including tenants, of the embedded ClickHouse in this directory',
    },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description: 'Also check those of a ClickHouse server, with its password in CLICKHOUSE_PASSWORD or in the URL',
    },
    json: { type: 'boolean', description: 'One JSON document; with --trace it contains all attributes' },
  },
  async run({ options }) {
    const { server, client } = await connect(options)
    if (options.trace !== undefined) return explainTrace(client, options.trace, options.json)
    const findings: Finding[] = []
    for await (const finding of checkAll({ server, client }, options)) {
      findings.push(finding)
      if (!options.json) print(`${styled(LEVELS[finding.level], finding.level.padEnd(4))}  ${finding.text}`)
    }
    if (options.json) print(JSON.stringify({ endpoint: server.endpoint, findings }))
    return findings.some(({ level }) => level === 'fail') ? EXIT.unreachable : EXIT.done
  },
})

interface Databases {
  readonly data?: string | undefined
  readonly clickhouse?: string | undefined
}

async function* checkAll(connection: Connection, databases: Databases): AsyncGenerator<Finding> {
  yield* checkMachine()
  yield* checkConfiguration(connection.server)
  yield* untilFailed(checkAnswers(connection))
  yield* untilFailed(checkAllDatabases(databases))
}

/** Passes findings on; an error that prevents further checks becomes a finding. */
async function* untilFailed(findings: AsyncGenerator<Finding>): AsyncGenerator<Finding> {
  try {
    yield* findings
  } catch (thrown) {
    const error = asPlanspanError(thrown)
    if (!(error instanceof PlanspanError)) throw error
    yield fail(error.message)
  }
}

/** Checks the server's own reports. */
async function* checkAnswers({ server, client }: Connection): AsyncGenerator<Finding> {
  const before = Date.now()
  const readiness = await client.readiness({ layout: true })
  if (readiness.planspan === null) return yield tokenNeeded(server.endpoint)
  yield* checkServer(server.endpoint, readiness, { before, after: Date.now() })
  if (readiness.status === 'ready') yield* await checkStorage(client)
}

/** A server reports on its own database only; other databases require ClickHouse's password. */
async function* checkAllDatabases({ data: dataDirectory = '', clickhouse }: Databases): AsyncGenerator<Finding> {
  if (clickhouse !== undefined) {
    yield* checkDatabases(await checkTenants({ dataDirectory, clickhouse: clickhouseUrl(clickhouse) }))
  } else if (dataDirectory !== '') yield* checkDatabases(await checkTenants({ dataDirectory }))
}

/** Checks the local versions and the optional packages. */
function checkMachine(): Finding[] {
  const { versions, platform, arch } = process
  return [
    ok(`planspan ${PLANSPAN_VERSION} on Node ${versions.node}, ${platform} ${arch}`),
    ...Object.values(OPTIONAL_PARTS).map((part) => {
      const missing = part.packages.filter((name) => !isInstalled(name))
      return missing.length === 0
        ? ok(`${part.packages.join(', ')}: installed, ${part.use}`)
        : warn(`${missing.join(', ')}: not installed. ${installAdvice(part)}`)
    }),
  ]
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/** With a larger difference, times of different machines are hard to compare. */
const MAX_CLOCK_DIFFERENCE_MS = 1000

/** Checks the response of a server; `asked` holds the times before and after the request, Unix milliseconds. */
function checkServer(endpoint: string, readiness: Report, asked: { before: number; after: number }): Finding[] {
  const own = PLANSPAN_VERSION
  const server =
    readiness.planspan === own
      ? ok(`The server at ${endpoint} responds: planspan ${own} on Node ${readiness.node}`)
      : warn(`The server at ${endpoint} is planspan ${readiness.planspan}, this is ${own}: use the same version.`)
  if (readiness.status === 'unavailable') {
    return [server, fail(`Its store is not ready (${readiness.code}): ${readiness.reason}`)]
  }
  const { clickhouse, database, writable, indexer, clockDifferenceMs, time, layout, access, upkeep } = readiness
  const { degraded = [] } = readiness
  const serverClockMs = Math.round(Date.parse(time) - (asked.before + asked.after) / 2)
  return [
    server,
    ok(`Its store is ClickHouse ${clickhouse}; the database ${database} has planspan's tables`),
    ...(writable ? [] : [READ_ONLY]),
    ...(layout ? checkLayout(database, layout) : []),
    ...degraded.map(({ message }) => warn(message)),
    ...(access ? checkAccess(access) : []),
    ...(upkeep ? checkUpkeep(database, upkeep, indexer) : [UPKEEP_UNKNOWN]),
    clock('the server', serverClockMs),
    clock('ClickHouse', serverClockMs + clockDifferenceMs),
  ]
}

const checkUpkeep = (
  database: string,
  { disks, parts, drift, senders, index }: Upkeep,
  indexer: IndexerState,
): Finding[] => [
  ...checkSchema(database, drift),
  ...(index ? checkIndex(database, index, indexer) : []),
  ...checkDisks(disks),
  ...checkParts(parts),
  ...checkSenders(senders),
]

const UPKEEP_UNKNOWN = warn(
  'The server does not report its disks, parts and tables: its ClickHouse user lacks the rights, or ClickHouse took ' +
    'longer than five seconds.',
)

const READ_ONLY = warn(
  'The server can only read: its ClickHouse user has no right to insert, so spans that are sent to the server are lost. ' +
    'docs/deployment.md#rights-in-clickhouse lists the rights of a writer.',
)

/** Reports a span table that a collector created. */
function checkLayout(database: string, { isOrdered, olderParts }: NonNullable<Ready['layout']>): Finding[] {
  if (isOrdered) return []
  const older =
    olderParts === 0
      ? ''
      : ` ${String(olderParts)} of its parts lack the columns that planspan filters by, so ClickHouse reads all attributes of their spans.`
  return [
    warn(
      `${database}.otel_traces has a collector's sort order: a plan's spans are far apart, so reading a plan reads a ` +
        `granule for each span, and views have to pick the last row of each span.${older} ` +
        "docs/deployment.md#a-table-that-a-collector-made shows how to copy it into planspan's order.",
    ),
  ]
}

const clock = (whose: string, differenceMs: number): Finding => {
  const text = `The clock of ${whose} differs from this machine's by ${String(differenceMs)} ms`
  return Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS
    ? ok(text)
    : warn(`${text}: synchronize both (NTP), or spans will seem to overlap.`)
}
