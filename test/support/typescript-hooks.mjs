import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

const SOURCE = new URL('../../src/', import.meta.url).href

/** @type {Readonly<Record<string, string>>} */
const SDK = { '@planspan/sdk': `${SOURCE}sdk/index.ts`, '@planspan/sdk/error': `${SOURCE}sdk/error.ts` }

/**
 * Resolves a module of src/ by its compiled name, and the SDK package to src/sdk.
 *
 * @type {import('node:module').ResolveHook}
 */
export async function resolve(specifier, context, next) {
  const sdk = context.parentURL?.startsWith(SOURCE) ? SDK[specifier] : undefined
  if (sdk) return { url: sdk, format: 'module', shortCircuit: true }
  const { href } =
    URL.canParse(specifier) || !specifier.startsWith('.') ? { href: specifier } : new URL(specifier, context.parentURL)
  const typed = href.replace(/\.js$/, '.ts')
  if (!href.startsWith(SOURCE) || !existsSync(fileURLToPath(typed))) return next(specifier, context)
  return { url: typed, format: 'module', shortCircuit: true }
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith(SOURCE) || !url.endsWith('.ts')) return next(url, context)
  const { code, errors } = transformSync(url, await readFile(fileURLToPath(url), 'utf8'))
  if (errors.length > 0) throw new Error(`${url} is no TypeScript: ${errors[0]?.message}`)
  return { format: 'module', source: code, shortCircuit: true }
}
