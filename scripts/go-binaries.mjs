// The Go programs that tests and benchmarks run beside planspan.
import { copyFileSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { answerOf, buildOnce, runStep, ToolMissing } from './build-cache.mjs'

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

/**
 * Builds a program, unless it has been built on this machine before; answers its path. Throws ToolMissing without Go,
 * or an Error when the build fails.
 *
 * @param {GoBinary} name
 * @returns {Promise<string>}
 */
export async function buildGoBinary(name) {
  /** @type {Recipe} */
  const { sources, copies = [], steps, output } = recipes[name]()
  return buildOnce({
    name,
    key: steps.map((step) => step.map((argument) => argument.replace(root, ''))),
    files: sources,
    check: () => {
      if (answerOf(['go', 'version']) === undefined) throw new ToolMissing(`${name} is built from source. ${GO_ADVICE}`)
    },
    build: async (directory) => {
      for (const file of copies) copyFileSync(file, join(directory, basename(file)))
      for (const step of steps) await go(step, { cwd: directory, bin: directory })
      return join(directory, output)
    },
  })
}

export const GO_ADVICE =
  'There is no Go on this machine. Install Go 1.26 or newer (https://go.dev/dl, or your package manager), see that ' +
  '`go version` answers, and try again.'

/**
 * Runs a command of Go. A workspace or flags of the user's own would change what is built; a Go that is too old fetches
 * the one it needs.
 *
 * @param {readonly string[]} step
 * @param {{ cwd: string, bin: string }} directories
 */
export function go(step, { cwd, bin }) {
  const own = { GOFLAGS: '-buildvcs=false', GOWORK: 'off', GOBIN: bin, CGO_ENABLED: '0' }
  const env = { GOTOOLCHAIN: 'auto', ...process.env, ...own }
  return runStep(['go', ...step], { cwd, env, needs: 'the Go module proxy' })
}
