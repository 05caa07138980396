import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPTIONAL_PARTS } from '../../src/base/advice.js'
import * as sdk from '../../src/sdk/index.js'
import { pack, root } from './pack.js'

/** The project of an agent with an OpenTelemetry SDK. */
const project = realpathSync(mkdtempSync(join(tmpdir(), 'planspan-agent-')))
const installed = join(project, 'node_modules/@planspan/sdk')
const SDK_PACKAGES = ['@opentelemetry/api', ...OPTIONAL_PARTS.register.packages]
let npm: { readonly added: number }

beforeAll(() => {
  const { sdk: tarball } = pack(project)
  const dependencies = Object.fromEntries(SDK_PACKAGES.map((name) => [name, '*']))
  write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }))
  cpSync(join(root, 'node_modules/@opentelemetry'), join(project, 'node_modules/@opentelemetry'), { recursive: true })
  const install = (...args: string[]) =>
    execFileSync('npm', ['install', '--offline', '--json', '--no-audit', '--no-fund', ...args], {
      cwd: project,
      encoding: 'utf8',
    })
  // Removes everything else from the copied folder.
  install()
  npm = JSON.parse(install(tarball)) as typeof npm
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(project, name), text)
const node = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('@planspan/sdk beside an OpenTelemetry SDK', () => {
  test('is one package of less than 1 MB', () => {
    expect(npm.added).toBe(1)
    const bytes = filesIn(installed).reduce((sum, file) => sum + statSync(file).size, 0)
    expect(bytes).toBeLessThan(1_000_000)
  })

  test('contains its module, its types, and nothing else', () => {
    const names = filesIn(installed).map((file) => file.slice(installed.length + 1))
    const kinds = ['js', 'cjs', 'd.ts', 'd.cts']
    expect(names.toSorted()).toEqual(
      [
        'LICENSE',
        'README.md',
        'package.json',
        ...['index', 'error'].flatMap((name) => kinds.map((kind) => `dist/${name}.${kind}`)),
      ].toSorted(),
    )
  })

  test('loads two modules, of less than 310 kB', () => {
    write(
      'hooks.mjs',
      `import { writeSync } from 'node:fs'
       export function load(url, context, next) {
         if (!url.startsWith('node:')) writeSync(1, url + '\\n')
         return next(url, context)
       }`,
    )
    write(
      'imports.mjs',
      `${SDK_PACKAGES.map((name) => `await import('${name}')\n`).join('')}await import('@planspan/sdk')`,
    )
    const hooks = `data:text/javascript,import { register } from 'node:module'; register('${pathToFileURL(join(project, 'hooks.mjs')).href}')`
    const urls = node('--import', hooks, 'imports.mjs').trim().split('\n')
    const own = urls.slice(urls.findIndex((url) => url.includes('@planspan')))
    const modules = ['index.js', 'error.js'].map((name) => join(installed, 'dist', name))
    expect(own).toEqual(modules.map((path) => pathToFileURL(path).href))
    expect(modules.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(310_000)
  })

  test('adds less than 70 kB to a bundled agent, minified and gzipped', async () => {
    write('agent.mjs', `import * as sdk from '@planspan/sdk'\nconsole.log(sdk)`)
    const { outputFiles } = await build({
      entryPoints: [join(project, 'agent.mjs')],
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      external: ['@opentelemetry/*'],
      write: false,
    })
    expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(70_000)
  })

  test('exports what its source exports', () => {
    write('names.mjs', `console.log(Object.keys(await import('@planspan/sdk')).join())`)
    expect(node('names.mjs').trim().split(',')).toEqual(Object.keys(sdk).toSorted())
  })
})

describe('a CommonJS agent', () => {
  test('has the same module, and therefore the same state, as ES modules', () => {
    write(
      'agent.cjs',
      `const sdk = require('@planspan/sdk')
       const { PlanspanError } = require('@planspan/sdk/error')
       import('@planspan/sdk').then((module) => console.log(module === sdk, module.PlanspanError === PlanspanError))`,
    )
    expect(node('agent.cjs')).toBe('true true\n')
  })
})

describe('the types', () => {
  const AGENT = `
    import { plan, PlanspanError, type ModelSpan } from '@planspan/sdk'
    export const usage = (m: ModelSpan) => m.usage({ input: 1 })
    export const answer: Promise<number> = plan({ workflow: 'trip' }, async (p) => p.agent({ name: 'a' }, () => 1))
    export const code = (error: unknown) => (error instanceof PlanspanError ? error.code : undefined)
    // @ts-expect-error: unknown option
    void plan({ flow: 'trip' }, () => 1)`

  test.each([
    ['an ES module', 'agent.mts', 'nodenext'],
    ['CommonJS', 'agent.cts', 'node16'],
    ['a bundler', 'agent.ts', 'esnext', '--moduleResolution', 'bundler'],
  ])('are complete for %s', (_, file, module, ...more) => {
    write(file, AGENT)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--target', 'es2023', '--types', '', '--module', module, ...more]
    expect(node(tsc, '--ignoreConfig', ...options, file)).toBe('')
  })

  test('reference only files of the package', () => {
    const declarations = filesIn(installed).filter((file) => /\.d\.c?ts$/.test(file))
    const named = declarations.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()["']([^"']+)["']/g)].map(([, name = '']) => name),
    )
    expect([...new Set(named)].toSorted()).toEqual(['./error.cjs', './error.js', '@opentelemetry/api'])
  })
})
