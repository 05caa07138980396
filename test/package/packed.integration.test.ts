import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installAdvice, OPTIONAL_PARTS } from '../../src/base/advice.js'
import { pack, root, unpack } from './pack.js'

const temporary = mkdtempSync(join(tmpdir(), 'planspan-packed-'))
let tarballs: ReturnType<typeof pack>
let project: string
let installed: string
let files: string[]

beforeAll(() => {
  tarballs = pack(temporary)
  project = projectWithout()
  installed = join(project, 'node_modules/planspan')
  files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
})
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const modules = join(root, 'node_modules')
const dependencies = readdirSync(modules)
  .filter((name) => !name.startsWith('.'))
  .flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  )

/** A project with the packed packages installed, and this project's dependencies except the omitted ones. */
function projectWithout(...leftOut: string[]): string {
  const project = mkdtempSync(join(temporary, 'project-'))
  for (const [name, tarball] of [
    ['planspan', tarballs.planspan],
    ['@planspan/sdk', tarballs.sdk],
  ] as const) {
    mkdirSync(join(project, 'node_modules', name), { recursive: true })
    unpack(tarball, join(project, 'node_modules', name))
  }
  for (const name of dependencies) {
    if (name === '@planspan/sdk' || leftOut.includes(name)) continue
    const link = join(project, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(modules, name), link)
  }
  return project
}

const nodeIn = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })
const node = (...args: string[]): string => nodeIn(project, ...args)
const main = (project: string) => join(project, 'node_modules/planspan/dist/cli/main.js')

describe('the packed package', () => {
  test('can be imported by each of its subpaths', () => {
    const script = `
      const names = ['planspan', 'planspan/client', 'planspan/records', 'planspan/server']
      for (const name of names) console.log(name, Object.keys(await import(name)).length > 0)`
    writeFileSync(join(project, 'import.mjs'), script)
    expect(node('import.mjs')).toBe(
      'planspan true\nplanspan/client true\nplanspan/records true\nplanspan/server true\n',
    )
  })

  test('exports the SDK, with its state and its error class', () => {
    const script = `
      import * as sdk from '@planspan/sdk'
      import * as planspan from 'planspan'
      import { encodeRecords } from 'planspan/records'
      console.log(Object.keys(planspan).join() === Object.keys(sdk).join())
      console.log(Object.keys(sdk).every((name) => planspan[name] === sdk[name]))
      try { [...encodeRecords(Buffer.from('{}'))] } catch (error) { console.log(error instanceof sdk.PlanspanError) }`
    writeFileSync(join(project, 'same.mjs'), script)
    expect(node('same.mjs')).toBe('true\ntrue\ntrue\n')
    expect(files.filter((file) => /^dist\/(sdk|tracing)/.test(file))).toEqual([])
  })

  test('gives a browser program the types of the client, without those of Node.js', () => {
    const program = `
      import { createClient, type PlanJson } from 'planspan/client'
      const client = createClient({ endpoint: location.origin, fetch })
      const { records } = await client.list({ state: ['failed'], since: new Date(), minDuration: '3s', limit: 3 })
      export const plan: PlanJson = records[0]!
      // @ts-expect-error: a duration has a unit
      void client.list({ minDuration: '3' })
      // @ts-expect-error: unknown parameter
      void client.list({ agents: 'scout' })
      const record = await client.record(plan.planId)
      // @ts-expect-error: the value may be null
      export const { bytes } = await client.record(plan.planId, {}, { ifNoneMatch: record.etag })`
    writeFileSync(join(project, 'browser.ts'), program)
    const options = '--noEmit --strict --skipLibCheck --target es2022 --lib es2022,dom --module esnext'.split(' ')
    const more = ['--moduleResolution', 'bundler', '--types', '', 'browser.ts']
    expect(node(join(modules, 'typescript/bin/tsc'), ...options, ...more)).toBe('')
  })

  test('verifies a record through OTLP and ClickHouse by itself', () => {
    const file = join(root, 'test/fixtures/lynxe/details-waiting-input.json')
    expect(node(main(project), 'verify', file)).toContain('identical (1 record, 4 spans)')
  })

  test('contains the files that users need, and no development files', () => {
    expect(readdirSync(installed).toSorted()).toEqual([
      'CHANGELOG.md',
      'CODE_OF_CONDUCT.md',
      'Dockerfile',
      'LICENSE',
      'NOTICE',
      'README.md',
      'SECURITY.md',
      'collector-config',
      'compose.yaml',
      'dashboards',
      'dist',
      'docs',
      'examples',
      'package.json',
      'packages',
    ])
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(['dist/viewer/index.html', 'dist/viewer/licenses.md']))
  })

  test('contains every file that its pages link to', () => {
    const pages = files.filter((file) => file.endsWith('.md'))
    const links = pages.flatMap((page) =>
      [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link = '']) => link.replace(/#.*/, ''))
        .filter((link) => link !== '' && !/^https?:/.test(link))
        .map((link) => ({ page, link })),
    )
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter(({ page, link }) => !existsSync(join(installed, dirname(page), link)))).toEqual([])
  })
})

describe('without optional packages', () => {
  const agent = `
    import { register } from 'planspan'
    await register().catch(({ code, message }) => console.log(code, message))`

  test('register() and the command line explain how to install them, in the same words', () => {
    const bare = projectWithout(...OPTIONAL_PARTS.register.packages)
    writeFileSync(join(bare, 'agent.mjs'), agent)
    const advice = installAdvice(OPTIONAL_PARTS.register)
    expect(nodeIn(bare, 'agent.mjs')).toMatch(/^missing_dependency register\(\) needs packages that are not installed/)
    expect(nodeIn(bare, 'agent.mjs')).toContain(advice)
    const doctor = spawnSync(process.execPath, [main(bare), 'doctor', '--endpoint', 'http://127.0.0.1:2'])
    expect(doctor.stdout.toString()).toContain(`not installed. ${advice}\n`)
  })

  test('an SDK that cannot be loaded is not reported as missing', () => {
    const broken = projectWithout('@opentelemetry/sdk-trace')
    const sdk = join(broken, 'node_modules/@opentelemetry/sdk-trace')
    mkdirSync(sdk)
    writeFileSync(join(sdk, 'index.js'), 'throw new Error(\'Dynamic require of "util" is not supported\')')
    writeFileSync(join(broken, 'agent.mjs'), agent)
    expect(nodeIn(broken, 'agent.mjs')).toMatch(
      /cannot load the OpenTelemetry SDK: Dynamic require of "util" is not supported\. A bundle/,
    )
  })
})
