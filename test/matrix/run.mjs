// Installs the packed packages in fresh projects, with the commands of docs/install.md, runs small programs there, and
// prints a table. node test/matrix/run.mjs [WORDS…]   # only the cells whose row or release contains one of the words
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { CELLS } from './cells.mjs'
import { installedVersion } from './checks.mjs'
import { startReceiver } from './receiver.mjs'
import { run } from './run-command.mjs'
import { bringToolchain, RELEASES } from './toolchain.mjs'

/** @typedef {import('./cells.mjs').Cell} Cell */
/**
 * The package to install instead of this version.
 *
 * @typedef {Readonly<Record<string, string>>} Tarballs
 */
/** @typedef {{ cell: Cell, seconds: number, sdk: string | undefined, error: unknown }} Outcome */

const AT_ONCE = 2

const words = process.argv.slice(2)
const wanted = CELLS.filter(
  ({ row, release }) => words.length === 0 || words.some((word) => `${row} ${release}`.includes(word)),
)
const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'planspan-matrix-')))
try {
  const outcomes = await runAll()
  printTable(outcomes)
  const failed = outcomes.filter(({ error }) => error !== undefined)
  for (const { cell, error } of failed) console.log(`\nFAILED: ${nameOf(cell)}\n${String(error)}`)
  console.log(`\n${outcomes.length - failed.length} cells passed, ${failed.length} failed`)
  process.exitCode = failed.length === 0 && outcomes.length > 0 ? 0 : 1
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

async function runAll() {
  const root = join(import.meta.dirname, '../..')
  const pack = `npm pack --silent --ignore-scripts --workspaces --include-workspace-root --pack-destination ${temporary}`
  const packed = await run(pack, { cwd: root })
  const [planspan = '', sdk = ''] = packed.match(/\S+\.tgz/g)?.map((name) => join(temporary, name)) ?? []
  /** @type {Tarballs} */
  const tarballs = { '@planspan/sdk': sdk, planspan: `${sdk} ${planspan}` }
  /** @type {Map<number, string>} */
  const bins = new Map()
  const releases = [...new Set(wanted.map(({ release }) => release))]
  const bring = async (/** @type {import('./toolchain.mjs').Release} */ release) =>
    bins.set(release, await bringToolchain(release, join(temporary, `node-${release}`)))
  await Promise.all(releases.map(bring))
  const waiting = [...wanted]
  /** @type {Outcome[]} */
  const outcomes = []
  const work = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      const outcome = await runCell(cell, bins.get(cell.release) ?? '', tarballs)
      outcomes.push(outcome)
      console.log(`${nameOf(cell)}: ${resultOf(outcome)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcomes
}

/**
 * @param {Cell} cell
 * @param {string} bin
 * @param {Tarballs} tarballs
 * @returns {Promise<Outcome>}
 */
async function runCell(cell, bin, tarballs) {
  const directory = join(temporary, `project-${CELLS.indexOf(cell)}`)
  mkdirSync(directory)
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }')
  const receiver = await startReceiver()
  const project = { directory, bin, receiver }
  const started = performance.now()
  /** @type {unknown} */
  let error
  try {
    for (const { command, checks } of cell.steps) {
      await run(withTarballs(command, tarballs), { cwd: directory, bin })
      for (const check of checks) await check(project)
    }
  } catch (caught) {
    error = caught
  }
  receiver.close()
  const sdk = installedVersion(project, '@opentelemetry/sdk-trace')
  rmSync(directory, { recursive: true, force: true })
  return { cell, seconds: (performance.now() - started) / 1000, sdk, error }
}

/** @param {string} command @param {Tarballs} tarballs */
function withTarballs(command, tarballs) {
  return command.replace(/(?<=\s)(?:@planspan\/sdk|planspan)(?=\s|$)/g, (name) => tarballs[name] ?? name)
}

/** @param {Outcome[]} outcomes */
function printTable(outcomes) {
  const releases = /** @type {(keyof typeof RELEASES)[]} */ (Object.keys(RELEASES).map(Number))
  const header = ['', ...releases.map((release) => `Node ${RELEASES[release].node}, npm ${RELEASES[release].npm}`)]
  const rows = [...new Set(wanted.map(({ row }) => row))].map((row) => [
    row,
    ...releases.map((release) => {
      const outcome = outcomes.find(({ cell }) => cell.row === row && cell.release === release)
      return outcome ? resultOf(outcome) : '–'
    }),
  ])
  const table = [header, header.map(() => ''), ...rows]
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  console.log()
  for (const [at, row] of table.entries()) {
    const cells = row.map((text, column) => text.padEnd(widths[column] ?? 0, at === 1 ? '-' : ' '))
    console.log(`| ${cells.join(' | ')} |`)
  }
}

/** @param {Outcome} outcome */
function resultOf({ error, sdk, seconds }) {
  return `${error === undefined ? 'ok' : 'FAILED'}, SDK ${sdk ?? 'none'}, ${seconds.toFixed(0)} s`
}

/** @param {Cell} cell */
function nameOf({ row, release }) {
  return `${row}, Node ${release}`
}
