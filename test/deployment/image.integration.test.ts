import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

import { cleanEnvironment, type ServeLine } from '../cli/run-cli.js'
import { pack, unpack } from '../package/pack.js'
import { freshDatabase } from '../support/clickhouse.js'

const run = promisify(execFile)
const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '')
const { services } = parse(readFileSync('compose.yaml', 'utf8')) as {
  services: { planspan: { command: string[]; healthcheck: { test: string[] } } }
}
const instructions = (name: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) => text)
const words = (name: string): string[] => JSON.parse(instructions(name)[0] ?? '') as string[]

/** The user of the image is not root, even if root runs the tests. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const temporary = mkdtempSync(join(tmpdir(), 'planspan-image-'))
const image = join(temporary, 'image')
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

/** Follows the Dockerfile with the packed packages, laid out as in a clone, in folders instead of images. */
beforeAll(async () => {
  const { planspan, sdk } = pack(temporary)
  const build = join(temporary, 'package')
  mkdirSync(join(build, 'packages/sdk'), { recursive: true })
  unpack(planspan, build)
  unpack(sdk, join(build, 'packages/sdk'))
  for (const command of instructions('RUN')) await run('sh', ['-c', command], { cwd: build })
  mkdirSync(image)
  for (const copied of instructions('COPY')) {
    const [, from] = /^--from=build \/planspan\/(\S+) /.exec(copied) ?? []
    if (from !== undefined)
      cpSync(join(build, from), join(image, basename(from)), { recursive: true, verbatimSymlinks: true })
  }
  chmodSync(temporary, 0o755)
}, 300_000)

/** Runs the image's entry point with arguments, started as the image starts it. */
function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const [command = '', ...first] = words('ENTRYPOINT').map((word) => word.replace('/planspan', image))
  const env = { ...cleanEnvironment(environment), NODE_ENV: 'production', HOME: '/nowhere' }
  const child = spawn(command, [...first, ...args], { cwd: image, env, ...NOBODY, timeout: 60_000 })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('the image serves as configured in compose.yaml, and is healthy', async () => {
  const { url, database, drop } = await freshDatabase()
  onTestFinished(drop)
  const { username, password, host } = new URL(url)
  const args = services.planspan.command.map((word) =>
    word
      .replace('0.0.0.0', '127.0.0.1')
      .replace('http://planspan@clickhouse:8123', `http://${username}@${host}`)
      .replace('17271', '0')
      .replace(/\$\{\w+:-(\w+)\}/, '$1'),
  )
  const child = start([...args, '--port=0', '--json', `--database=${database}`], { CLICKHOUSE_PASSWORD: password })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const ready = JSON.parse(line) as ServeLine
  expect(ready.jaegerEndpoint).toMatch(/:\d+$/)
  const [kind, checker = '', ...check] = services.planspan.healthcheck.test
  expect(kind).toBe('CMD')
  await run(
    checker,
    check.map((word) => word.replace('http://127.0.0.1:4318', ready.url)),
  )
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('the image requires tokens by default, and reports where it looked for them', async () => {
  const args = words('CMD').map((word) => word.replace('0.0.0.0', '127.0.0.1'))
  const child = start([...args, '--port=0'])
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  const [code] = (await once(child, 'close')) as [number]
  expect(code).not.toBe(0)
  expect(said).toContain('/run/secrets/planspan-tokens/tokens.json')
})
