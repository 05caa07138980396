// The collector project's own load generator, built from source.
import { answerOf, buildOnce, ToolMissing } from '../../scripts/build-cache.mjs'
import { go, GO_ADVICE } from '../../scripts/go-binaries.mjs'
import { join } from 'node:path'

const step = ['install', 'github.com/open-telemetry/opentelemetry-collector-contrib/cmd/telemetrygen@v0.161.0']

/** Builds telemetrygen, unless it has been built on this machine before; answers its path. */
export const buildTelemetrygen = () =>
  buildOnce({
    name: 'telemetrygen',
    key: step,
    files: [],
    check: () => {
      if (answerOf(['go', 'version']) === undefined)
        throw new ToolMissing(`telemetrygen is built from source. ${GO_ADVICE}`)
    },
    build: async (directory) => {
      await go(step, { cwd: directory, bin: directory })
      return join(directory, 'telemetrygen')
    },
  })
