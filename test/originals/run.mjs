// Runs the original systems on planspan's documents, and writes their verdicts to data/verdicts.json.
//
// npm run test:originals -- --sources DIR [--documents DIR]
//   --sources DIR    contains a checkout of each system, outside of this repository
//   --documents DIR  keeps the documents there, to be compared with those of another version
//   PYTHON           a Python with pydantic 2, python3 unless set
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { digestOf } from './digest.mjs'
import { writtenDocuments } from './documents.mjs'
import { SYSTEMS } from './systems.mjs'

/** @typedef {import('./documents.mjs').WrittenDocument} WrittenDocument */

const { values: options } = parseArgs({ options: { sources: { type: 'string' }, documents: { type: 'string' } } })
const python = process.env['PYTHON'] ?? 'python3'
const dist = new URL('../../dist/', import.meta.url).href

const missing = Object.entries(SYSTEMS).flatMap(([name, system]) => whatIsMissing(name, system))
if (missing.length > 0) exit(missing.join('\n'))
const pydantic = spawnSync(python, ['-c', 'import pydantic; print(pydantic.VERSION)'], { encoding: 'utf8' })
if (pydantic.status !== 0)
  exit(`${python} has no pydantic: install it in a virtual environment, and set PYTHON to its python.`)

const planspan = {
  mapping: await import(`${dist}mapping/index.js`),
  generate: await import(`${dist}generate/index.js`),
  tracing: await import('@planspan/sdk'),
}
/** @type {WrittenDocument[]} */
const documents = []
for await (const document of writtenDocuments(planspan)) documents.push(document)
if (options.documents !== undefined) keep(documents, options.documents)

/** @type {Record<string, Record<string, string>>} */
const digests = {}
/** @type {Record<string, Record<string, string>>} */
const refusals = {}
let unexplained = 0
for (const [name, system] of Object.entries(SYSTEMS)) {
  const asked = documents.filter(({ dialect }) => system.dialects.includes(dialect))
  const answers = ask(name, system, asked)
  for (const [place, { dialect, source, text }] of asked.entries()) {
    ;(digests[dialect] ??= {})[source] = digestOf(text)
    const refusal = answers[place]
    if (refusal === null || refusal === undefined) continue
    const isExplained = system.reasons[`${dialect}: ${refusal}`] !== undefined
    if (isExplained) (refusals[dialect] ??= {})[source] = refusal
    else console.error(`${name} refuses ${dialect} of ${source}: ${refusal}`)
    unexplained += isExplained ? 0 : 1
  }
  const refused = answers.filter((answer) => answer !== null).length
  console.log(`${name}: ${asked.length} documents, ${refused} refused`)
}
if (unexplained > 0) exit(`${unexplained} documents are refused, and test/originals/systems.mjs gives no reason.`)

const origin = {
  command: 'npm run test:originals -- --sources DIR',
  date: new Date().toISOString().slice(0, 10),
  pydantic: pydantic.stdout.trim(),
  systems: Object.fromEntries(
    Object.entries(SYSTEMS).map(([name, { repository, commit }]) => [name, { repository, commit }]),
  ),
}
const data = fileURLToPath(new URL('data/verdicts.json', import.meta.url))
writeFileSync(data, `${JSON.stringify({ origin, documents: digests, refusals }, null, 2)}\n`)
console.log(`Written to ${data}; commit it.`)

/**
 * @param {string} name
 * @param {import('./systems.mjs').OriginalSystem} system
 */
function whatIsMissing(name, { repository, commit }) {
  const get = `get it with: git clone ${repository} ${name} && git -C ${name} checkout ${commit}`
  if (options.sources === undefined) return [`${name} is needed below --sources DIR; ${get}`]
  const directory = join(options.sources, name)
  if (!existsSync(directory)) return [`${directory} does not exist; ${get}`]
  const found = spawnSync('git', ['-C', directory, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
  return found === commit ? [] : [`${directory} is at ${found || 'no commit'}, not ${commit}; ${get}`]
}

/**
 * The rejection of each document, or null.
 *
 * @param {string} name
 * @param {import('./systems.mjs').OriginalSystem} system
 * @param {readonly WrittenDocument[]} asked
 * @returns {(string | null)[]}
 */
function ask(name, { reader }, asked) {
  const script = fileURLToPath(new URL(`readers/${reader}`, import.meta.url))
  const stdout = execFileSync(python, ['-B', '-W', 'ignore', script, join(options.sources ?? '', name)], {
    input: asked.map((document) => JSON.stringify(document)).join('\n'),
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC', PYTHONIOENCODING: 'utf-8' },
    maxBuffer: 1e8,
    timeout: 300_000,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  if (answers.length !== asked.length) exit(`${name} answered ${answers.length} of ${asked.length} documents.`)
  return answers
}

/**
 * @param {readonly WrittenDocument[]} written
 * @param {string} directory
 */
function keep(written, directory) {
  mkdirSync(directory, { recursive: true })
  for (const { source, dialect, text } of written) {
    writeFileSync(join(directory, `${source} ${dialect}`.replaceAll(/[/:]/g, '-')), text)
  }
}

/** @param {string} message */
function exit(message) {
  console.error(message)
  process.exit(1)
}
