import { readFileSync } from 'node:fs'
import { bundles, commandLine, ownSdk, prices, registers, serves } from './checks.mjs'
import { followGuide, INSTALL } from './guide.mjs'
import { installLines } from './install-lines.mjs'
import { imports, INSTALL as INSTALL_SDK, nextApp, survivesFreeze } from './recipes.mjs'

/** @typedef {import('./toolchain.mjs').Release} Release */

/**
 * @typedef {object} Step
 * @property {string} command
 * @property {import('./checks.mjs').Check[]} checks The conditions that must hold after it.
 */

/**
 * @typedef {object} Cell
 * @property {string} row
 * @property {Release} release
 * @property {Step[]} steps
 */

const root = new URL('../../', import.meta.url)
const lines = installLines(readFileSync(new URL('docs/install.md', root), 'utf8'))

/** @param {string} command */
const packagesOf = (command) => command.replaceAll('\\\n', ' ').split(/\s+/).slice(2)

/** The line that installs a package. @param {string} name */
const isFor = (name) => (/** @type {string} */ command) => packagesOf(command).includes(name)
const [isSdk, isEngine] = ['@opentelemetry/sdk-trace', 'chdb'].map(isFor)

/**
 * The install commands, with the conditions that must hold after each.
 * @param {{ after?: Record<string, import('./checks.mjs').Check[]>, isEngineInstalled?: boolean, isSdkInstalled?:
 * boolean }} options   `after` the line that installs a package
 * @returns {Step[]}
 */
function installSteps({ after = {}, isEngineInstalled = false, isSdkInstalled = true }) {
  const commands = lines.map(({ command }) => command).filter((command) => isSdkInstalled || !isSdk?.(command))
  return commands.map((command) => ({
    // 600 MB: in other cells it is enough that npm finds no conflict.
    command: isEngine?.(command) && !isEngineInstalled ? `${command} --dry-run` : command,
    checks: packagesOf(command).flatMap((package_) => after[package_] ?? []),
  }))
}

const SDK = 'npm install @opentelemetry/sdk-node @opentelemetry/auto-instrumentations-node'
const SDK_2 =
  'npm install @opentelemetry/api@1.9 @opentelemetry/sdk-node@0.223 @opentelemetry/auto-instrumentations-node@0.81'

const oneByOne = () => ({
  after: {
    planspan: [commandLine, prices],
    '@opentelemetry/sdk-trace': [commandLine, registers, bundles],
  },
})

/** @returns {Step[]} */
const besideNewest = () => [
  { command: SDK, checks: [] },
  ...installSteps({
    after: { '@planspan/sdk': [ownSdk], planspan: [commandLine, ownSdk], '@opentelemetry/sdk-trace': [registers] },
  }),
]

/** @returns {Step[]} */
const besideSdk2 = () => [
  { command: SDK_2, checks: [] },
  // The line for projects without an SDK is omitted.
  ...installSteps({
    after: { '@planspan/sdk': [ownSdk, registers], planspan: [commandLine, ownSdk] },
    isSdkInstalled: false,
  }),
]

/** @returns {Step[]} */
function atOnce() {
  const packages = lines
    .map(({ command }) => command)
    .filter((command) => !isEngine?.(command))
    .flatMap(packagesOf)
  return [
    { command: `npm install ${packages.join(' ')}`, checks: [commandLine, registers] },
    { command: SDK, checks: [ownSdk] },
  ]
}

/** @returns {Step[]} */
const oldest = () => [
  { command: `npm install planspan ${oldestPeers('package.json')}`, checks: [commandLine, registers, prices] },
]

/** @returns {Step[]} */
const oldestOfSdk = () => [
  { command: `npm install @planspan/sdk ${oldestPeers('packages/sdk/package.json')}`, checks: [registers] },
]

/** @returns {Step[]} */
const guide = () => [
  { command: 'npm install @opentelemetry/sdk-node', checks: [] },
  { command: INSTALL, checks: [followGuide] },
]

/** @returns {Step[]} */
const recipes = () => [
  { command: INSTALL_SDK, checks: [imports, survivesFreeze('lambda')] },
  { command: 'npm install @vercel/functions', checks: [survivesFreeze('vercel')] },
  { command: 'npm install next react react-dom', checks: [nextApp] },
]

/** @type {Record<string, Partial<Record<Release, () => Step[]>>>} */
const ROWS = {
  'docs/install.md, line by line': {
    20: () => [...installSteps({ ...oneByOne(), isEngineInstalled: true }), { command: 'true', checks: [serves] }],
    22: () => installSteps(oneByOne()),
    24: () => installSteps(oneByOne()),
  },
  'docs/install.md at once, an SDK after it': { 20: atOnce, 24: atOnce },
  'beside the newest SDK': { 20: besideNewest, 22: besideNewest, 24: besideNewest },
  'beside the SDK 2': { 22: besideSdk2, 24: besideSdk2 },
  'docs/instrument.md, word for word': { 20: guide, 24: guide },
  'docs/recipes.md, file by file': { 20: recipes, 24: recipes },
  'with the oldest peers': { 20: oldest },
  'the SDK alone, with its oldest peers': { 20: oldestOfSdk, 24: oldestOfSdk },
}

/** @param {string} file */
function oldestPeers(file) {
  /** @type {{ peerDependencies: Record<string, string> }} */
  const { peerDependencies } = JSON.parse(readFileSync(new URL(file, root), 'utf8'))
  return Object.entries(peerDependencies)
    .filter(([name]) => !['chdb', 'ffi-rs'].includes(name))
    .map(([name, range]) => `${name}@${/\d+\.\d+\.\d+/.exec(range)?.[0]}`)
    .join(' ')
}

/** @type {Cell[]} */
export const CELLS = Object.entries(ROWS).flatMap(([row, releases]) =>
  Object.entries(releases).map(([release, steps]) => ({
    row,
    release: /** @type {Release} */ (Number(release)),
    steps: steps(),
  })),
)
