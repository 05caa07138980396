import type * as Libchdb from 'chdb/libchdb'
import { createRequire } from 'node:module'

import { PlanspanError } from '../error.js'
import { installAdvice, OPTIONAL_PARTS } from '../base/advice.js'

/** The two files of the embedded engine. */
export interface Engine {
  /** Path of ffi-rs, the module that calls C functions. */
  readonly ffi: string
  /** Path of libchdb, the shared library that carries ClickHouse. */
  readonly library: string
}

/** Where to search for the engine, and for which platform. */
export interface EngineSearch {
  /** The module whose node_modules are searched. @default this module */
  from?: string | URL
  /** Platform and architecture as Node names them. @default this process's */
  platform?: string
}

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const insteadUse = 'Or use a ClickHouse server of your own: planspan serve --clickhouse URL.'
const advice = installAdvice(OPTIONAL_PARTS.clickhouse)

/**
 * Finds chdb's library and ffi-rs, both optional peers, without loading either.
 * @throws PlanspanError `unsupported_platform` or `missing_dependency`
 */
export function locateEngine(search: EngineSearch = {}): Engine {
  const { from = import.meta.url, platform = `${process.platform}-${process.arch}` } = search
  if (!platforms.includes(platform)) {
    throw new PlanspanError(
      'unsupported_platform',
      `The embedded ClickHouse runs on ${platforms.join(', ')} (Linux with glibc), and this is ${platform}. ${insteadUse}`,
    )
  }
  const require = createRequire(from)
  return { ffi: resolvePeer(require, 'ffi-rs'), library: locateLibrary(require, platform) }
}

function locateLibrary(require: NodeJS.Require, platform: string): string {
  const { tryResolveLibchdb } = require(resolvePeer(require, 'chdb/libchdb')) as typeof Libchdb
  const location = tryResolveLibchdb()
  if (location !== undefined) return location.path
  if (isMusl()) {
    throw new PlanspanError(
      'unsupported_platform',
      `The embedded ClickHouse needs a Linux with glibc, and this one has musl (${platform}). ${insteadUse}`,
    )
  }
  throw new PlanspanError(
    'missing_dependency',
    `chdb is installed without its library for ${platform} (an optional dependency, @chdb/lib-*). ` +
      `${advice} --include=optional`,
  )
}

function resolvePeer(require: NodeJS.Require, specifier: string): string {
  try {
    return require.resolve(specifier)
  } catch (cause) {
    throw new PlanspanError(
      'missing_dependency',
      `The embedded ClickHouse needs ${specifier}, which is not installed. ${advice}. ${insteadUse}`,
      { cause },
    )
  }
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime === undefined
}
