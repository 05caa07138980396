// The Go programs that tests and benchmarks run beside planspan: built once a machine, kept by the digest of what they
// are built from.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { arch, homedir, platform } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = join(root, 'collector-config/builder.yaml')

/**
 * @typedef {object} Recipe
 * @property {string[]} sources The files that the program is built from; another content is another program.
 * @property {string[]} [copies] Those of them that Go wants in the directory that it runs in.
 * @property {string[][]} steps The arguments of `go`, one command after another, in an empty directory.
 * @property {string} output The program, in that directory.
 */

/** @satisfies {Record<string, () => Recipe>} */
const recipes = {
  collector: () => {
    const version = /^ {2}version: (\S+)$/m.exec(readFileSync(manifest, 'utf8'))?.[1]
    return {
      sources: [manifest],
      steps: [['run', `go.opentelemetry.io/collector/cmd/builder@v${version}`, '--config', manifest]],
      output: '_build/otelcol-planspan',
    }
  },
  jaeger: () => {
    // `go install` refuses Jaeger's own module, and a go.sum can't be made anew: it is kept beside the configuration.
    const module = ['go.mod', 'go.sum'].map((name) => join(root, 'collector-config/jaeger', name))
    return {
      sources: module,
      copies: module,
      steps: [['build', '-o', 'jaeger', 'github.com/jaegertracing/jaeger/cmd/jaeger']],
      output: 'jaeger',
    }
  },
  s3: () => ({
    sources: [],
    steps: [['install', 'github.com/versity/versitygw/cmd/versitygw@v1.8.0']],
    output: `versitygw${platform() === 'win32' ? '.exe' : ''}`,
  }),
}

/** @typedef {keyof typeof recipes} GoBinary */

export const goBinaries = /** @type {GoBinary[]} */ (Object.keys(recipes))

/** There is no Go to build with. */
export class GoMissing extends Error {
  /** @param {string} name */
  constructor(name) {
    super(
      `${name} is built from source, and there is no Go on this machine. Install Go 1.26 or newer ` +
        '(https://go.dev/dl, or your package manager), see that `go version` answers, and try again.',
    )
  }
}

/**
 * Builds a program, unless it has been built on this machine before; answers its path. Keeps it in PLANSPAN_GO_CACHE,
 * by default ~/.cache/planspan, so that every clone shares it. Throws GoMissing, or an Error when the build fails.
 *
 * @param {GoBinary} name
 * @returns {Promise<string>}
 */
export async function buildGoBinary(name) {
  /** @type {Recipe} */
  const recipe = recipes[name]()
  const cache = cacheDirectory()
  const path = join(cache, `${name}-${digestOf(recipe)}${platform() === 'win32' ? '.exe' : ''}`)
  if (existsSync(path)) return path
  if (spawnSync('go', ['version']).status !== 0) throw new GoMissing(name)
  mkdirSync(cache, { recursive: true })
  const directory = mkdtempSync(join(cache, `${name}-build-`))
  try {
    process.stderr.write(`Building ${name}: some minutes the first time.\n`)
    for (const file of recipe.copies ?? []) copyFileSync(file, join(directory, basename(file)))
    for (const step of recipe.steps) await go(step, directory)
    // Others may build the same at the same time: the last one wins, and none sees half a file.
    renameSync(join(directory, recipe.output), path)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  return path
}

const cacheDirectory = () =>
  process.env['PLANSPAN_GO_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'planspan')

/** @param {Recipe} recipe */
function digestOf({ sources, steps }) {
  const digest = createHash('sha256').update(JSON.stringify([platform(), arch(), steps.map((step) => relative(step))]))
  for (const source of sources) digest.update(readFileSync(source))
  return digest.digest('hex').slice(0, 16)
}

/** @param {string[]} step */
const relative = (step) => step.map((argument) => argument.replace(root, ''))

/**
 * @param {string[]} step
 * @param {string} cwd
 * @returns {Promise<void>}
 */
function go(step, cwd) {
  // A workspace or flags of the user's own would change what is built; a Go that is too old fetches the one it needs.
  const own = { GOFLAGS: '-buildvcs=false', GOWORK: 'off', GOBIN: cwd, CGO_ENABLED: '0' }
  const env = { GOTOOLCHAIN: 'auto', ...process.env, ...own }
  return new Promise((resolve, reject) => {
    const child = spawn('go', step, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    /** @type {Buffer[]} */
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) return resolve()
      const tail = Buffer.concat(output).toString().trimEnd().split('\n').slice(-20).join('\n')
      reject(new Error(`go ${step.join(' ')} failed (${code}); it needs the Go module proxy.\n${tail}`))
    })
  })
}
