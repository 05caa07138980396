import process from 'node:process'

import { PlanspanError } from '../../error.js'
import { installAdvice, OPTIONAL_PARTS } from '../../optional-packages.js'
import { checkTenants, type Upkeep } from '../../server/index.js'
import { PLANSPAN_VERSION } from '../../version.js'
import type { IndexerState, Readiness } from '../../wire/index.js'
import { checkAccess, tokenNeeded } from './check-access.js'
import { checkConfiguration } from './check-configuration.js'
import { checkDisks } from './check-disks.js'
import { checkIndex } from './check-index.js'
import { checkParts } from './check-parts.js'
import { checkDatabases, checkSchema } from './check-schema.js'
import { checkSenders } from './check-senders.js'
import { checkStorage } from './check-storage.js'
import { clickhouseUrl } from '../store/clickhouse-options.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { explainTrace } from './explain-trace.js'
import { asPlanspanError } from '../server/as-planspan-error.js'
import { connect, type Connection } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { print, styled } from '../output/terminal.js'

/** The result of a check, with advice if there is a problem. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly text: string
}

/** What a server tells who may read. */
type Told = Exclude<Readiness, { planspan: null }>
type Ready = Extract<Readiness, { status: 'ready' }>

const LEVELS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** `planspan doctor`: checks this machine, the server and its store, or explains what is made of a trace. */
export const command = defineCommand({
  options: {
    ...serverOptions,
    trace: {
      type: 'string',
      valueHint: 'ID',
      description: 'Tell what planspan makes of each span of a trace instead, and why',
    },
    data: {
      type: 'string',
      valueHint: 'DIR',
      description:
        'Check all databases of the embedded ClickHouse of this directory as well, those of tenants among them',
    },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description: 'The same of a ClickHouse server, its password in CLICKHOUSE_PASSWORD or in the URL',
    },
    json: { type: 'boolean', description: 'One JSON document; with --trace it has all attributes' },
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

/** Passes findings on; what keeps further ones from being found is one itself. */
async function* untilFailed(findings: AsyncGenerator<Finding>): AsyncGenerator<Finding> {
  try {
    yield* findings
  } catch (thrown) {
    const error = asPlanspanError(thrown)
    if (!(error instanceof PlanspanError)) throw error
    yield { level: 'fail', text: error.message }
  }
}

/** Checks what the server tells. */
async function* checkAnswers({ server, client }: Connection): AsyncGenerator<Finding> {
  const before = Date.now()
  const readiness = await client.readiness({ layout: true })
  if (readiness.planspan === null) return yield tokenNeeded(server.endpoint)
  yield* checkServer(server.endpoint, readiness, { before, after: Date.now() })
  if (readiness.status === 'ready') yield* await checkStorage(client)
}

/** Of other databases than its own a server tells nobody; whoever has ClickHouse's password may know. */
async function* checkAllDatabases({ data: dataDirectory = '', clickhouse }: Databases): AsyncGenerator<Finding> {
  if (clickhouse !== undefined) {
    yield* checkDatabases(await checkTenants({ dataDirectory, clickhouse: clickhouseUrl(clickhouse) }))
  } else if (dataDirectory !== '') yield* checkDatabases(await checkTenants({ dataDirectory }))
}

/** Checks the local versions and the optional packages. */
function checkMachine(): Finding[] {
  const { versions, platform, arch } = process
  return [
    { level: 'ok', text: `planspan ${PLANSPAN_VERSION} on Node ${versions.node}, ${platform} ${arch}` },
    ...Object.values(OPTIONAL_PARTS).map((part): Finding => {
      const missing = part.packages.filter((name) => !isInstalled(name))
      return missing.length === 0
        ? { level: 'ok', text: `${part.packages.join(', ')}: installed, ${part.use}` }
        : { level: 'warn', text: `${missing.join(', ')}: not installed. ${installAdvice(part)}` }
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
function checkServer(endpoint: string, readiness: Told, asked: { before: number; after: number }): Finding[] {
  const own = PLANSPAN_VERSION
  const server: Finding =
    readiness.planspan === own
      ? { level: 'ok', text: `The server at ${endpoint} answers: planspan ${own} on Node ${readiness.node}` }
      : {
          level: 'warn',
          text: `The server at ${endpoint} is planspan ${readiness.planspan}, this is ${own}: use the same version.`,
        }
  if (readiness.status === 'unavailable') {
    return [server, { level: 'fail', text: `Its store is not ready (${readiness.code}): ${readiness.reason}` }]
  }
  const { clickhouse, database, writable, indexer, clockDifferenceMs, time, layout, access, upkeep } = readiness
  const serverClockMs = Math.round(Date.parse(time) - (asked.before + asked.after) / 2)
  return [
    server,
    { level: 'ok', text: `Its store is ClickHouse ${clickhouse}; the database ${database} has planspan's tables` },
    ...(writable ? [] : [READ_ONLY]),
    ...(layout ? checkLayout(database, layout) : []),
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

const UPKEEP_UNKNOWN: Finding = {
  level: 'warn',
  text:
    'The server does not tell of its disks, parts and tables: its user of ClickHouse may not know, or ClickHouse took ' +
    'longer than five seconds.',
}

const READ_ONLY: Finding = {
  level: 'warn',
  text:
    "It can only be read: the server's user of ClickHouse may not insert, and spans that are sent to the server are lost. " +
    'docs/deployment.md#rights-in-clickhouse has what a writer needs.',
}

/** Reports a span table that a collector made. */
function checkLayout(database: string, { isOrdered, olderParts }: NonNullable<Ready['layout']>): Finding[] {
  if (isOrdered) return []
  const older =
    olderParts === 0
      ? ''
      : ` ${String(olderParts)} of its parts lack the columns that planspan filters by, so that ClickHouse reads all attributes of their spans.`
  const text =
    `${database}.otel_traces is in the order of a collector: a plan's spans lie far apart, so that reading a plan reads a ` +
    `granule for each span, and views have to pick the last row of each span.${older} ` +
    "docs/deployment.md#a-table-that-a-collector-made shows how to copy it into planspan's order."
  return [{ level: 'warn', text }]
}

const clock = (whose: string, differenceMs: number): Finding =>
  Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS
    ? { level: 'ok', text: `The clock of ${whose} differs from this machine's by ${String(differenceMs)} ms` }
    : {
        level: 'warn',
        text: `The clock of ${whose} differs from this machine's by ${String(differenceMs)} ms: synchronise both (NTP), or spans will seem to overlap.`,
      }
