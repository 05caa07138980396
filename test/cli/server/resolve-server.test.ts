import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { resolveServer } from '../../../src/cli/server/resolve-server.js'

const [OPTION, PLANSPAN, OTEL, FILE] = ['http://option', 'http://planspan', 'http://otel', 'http://file']
const TOKEN = 'a-token-that-nobody-may-see'

let home: string
let file: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'planspan-config-'))
  file = join(home, 'planspan/config.json')
  for (const name of Object.keys(process.env)) if (/^(PLANSPAN|OTEL)_/.test(name)) vi.stubEnv(name, undefined)
  vi.stubEnv('XDG_CONFIG_HOME', home)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(home, { recursive: true })
})

function writeConfig(content: object | string, mode = 0o600): void {
  mkdirSync(join(home, 'planspan'), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(file, mode)
}

function stub(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
}

describe('the endpoint', () => {
  const all = { PLANSPAN_ENDPOINT: PLANSPAN, OTEL_EXPORTER_OTLP_ENDPOINT: OTEL }

  test('comes from the option, else planspan’s variable, else OpenTelemetry’s, else the file, else is the local server', async () => {
    const named = async (asked = {}) => {
      const { endpoint, namedBy } = await resolveServer(asked)
      return [endpoint, namedBy]
    }
    expect(await named()).toEqual(['http://127.0.0.1:4318', 'default'])
    writeConfig({ endpoint: FILE })
    expect(await named()).toEqual([FILE, file])
    stub({ OTEL_EXPORTER_OTLP_ENDPOINT: OTEL })
    expect(await named()).toEqual([OTEL, 'OTEL_EXPORTER_OTLP_ENDPOINT'])
    stub(all)
    expect(await named()).toEqual([PLANSPAN, 'PLANSPAN_ENDPOINT'])
    expect(await named({ endpoint: OPTION })).toEqual([OPTION, '--endpoint'])
  })

  test('names the source of an invalid endpoint', async () => {
    stub({ PLANSPAN_ENDPOINT: 'planspan:4318' })
    await expect(resolveServer({})).rejects.toThrow('"planspan:4318" is not a valid endpoint (PLANSPAN_ENDPOINT).')
  })
})

describe('a token', () => {
  const sent = async (endpoint?: string) => {
    const { token, tokenOf, unsent } = await resolveServer({ endpoint })
    return { token, tokenOf, unsent }
  }

  test('of the environment is sent to the server of PLANSPAN_ENDPOINT, however that is spelled', async () => {
    stub({ PLANSPAN_ENDPOINT: `${PLANSPAN}/v1/traces`, PLANSPAN_TOKEN: TOKEN })
    const goes = { token: TOKEN, tokenOf: 'PLANSPAN_TOKEN', unsent: [] }
    expect(await sent()).toEqual(goes)
    expect(await sent('HTTP://PLANSPAN:80/')).toEqual(goes)
  })

  test.each([OPTION, `${PLANSPAN}:8080`, `${PLANSPAN}/other`, 'https://planspan'])(
    'of the environment is not sent to %s',
    async (endpoint) => {
      stub({ PLANSPAN_ENDPOINT: PLANSPAN, PLANSPAN_TOKEN: TOKEN })
      expect(await sent(endpoint)).toEqual({ token: undefined, tokenOf: undefined, unsent: ['PLANSPAN_TOKEN'] })
    },
  )

  test('of the environment without an endpoint is sent to the file’s server, instead of the file’s own token', async () => {
    stub({ PLANSPAN_TOKEN: TOKEN })
    expect(await sent(OPTION)).toEqual({ token: undefined, tokenOf: undefined, unsent: ['PLANSPAN_TOKEN'] })
    writeConfig({ endpoint: FILE, token: 'of the file' })
    expect((await sent()).tokenOf).toBe('PLANSPAN_TOKEN')
  })

  test('of the file is sent only to the file’s server', async () => {
    writeConfig({ endpoint: FILE, token: TOKEN })
    expect(await sent()).toEqual({ token: TOKEN, tokenOf: file, unsent: [] })
    stub({ OTEL_EXPORTER_OTLP_ENDPOINT: OTEL })
    expect(await sent()).toEqual({ token: undefined, tokenOf: undefined, unsent: [file] })
    expect((await sent(FILE)).token).toBe(TOKEN)
  })
})

test('OpenTelemetry’s headers are sent only to the server of its endpoint, or else to the local server', async () => {
  stub({ OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b,x-key=1' })
  const headers = { 'x-tenant': 'a b', 'x-key': '1' }
  expect((await resolveServer({})).headers).toEqual(headers)
  stub({ OTEL_EXPORTER_OTLP_ENDPOINT: `${OTEL}/` })
  expect((await resolveServer({})).headers).toEqual(headers)
  expect((await resolveServer({ endpoint: OPTION })).headers).toEqual({})
})

describe('the configuration file', () => {
  test('is that of the option, else of the environment, else the user’s own', async () => {
    writeConfig({ endpoint: FILE })
    const [one, other] = [join(home, 'one.json'), join(home, 'other.json')]
    writeFileSync(one, '{"endpoint":"http://one"}')
    writeFileSync(other, '{"endpoint":"http://other"}')
    stub({ PLANSPAN_CONFIG: one })
    expect((await resolveServer({})).endpoint).toBe('http://one')
    expect((await resolveServer({ config: other })).endpoint).toBe('http://other')
  })

  test('must exist if it is named', async () => {
    const config = join(home, 'none.json')
    await expect(resolveServer({ config })).rejects.toMatchObject({
      code: 'usage',
      message: `The configuration file ${config} cannot be read (ENOENT).`,
    })
  })

  test.each([
    [`{"token": "${TOKEN}"`, /is malformed \(/],
    [`"${TOKEN}"`, /is malformed \(.*expected object/],
    [{ endpoint: FILE, tokn: TOKEN }, /is malformed \(unknown keys: tokn\)/],
    [{ token: TOKEN }, /is malformed \("token" requires "endpoint", the server that it belongs to\)/],
    [{ endpoint: FILE, token: { [TOKEN]: TOKEN } }, /is malformed \(token: .*expected string/],
    [{ endpoint: `http://me:${TOKEN}@file` }, /is not a valid endpoint \(.*config\.json\)/],
  ])('that is malformed is rejected with the reason and without the token: %j', async (content, message) => {
    writeConfig(content)
    await expect(resolveServer({})).rejects.toThrow(message)
    await expect(resolveServer({})).rejects.not.toThrow(TOKEN)
  })

  test('causes a warning if it contains a token and others may read it', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    for (const [config, mode] of [
      [{ endpoint: FILE }, 0o644],
      [{ endpoint: FILE, token: TOKEN }, 0o600],
    ] as const) {
      writeConfig(config, mode)
      await resolveServer({})
    }
    expect(written).not.toHaveBeenCalled()
    writeConfig({ endpoint: FILE, token: TOKEN }, 0o640)
    await resolveServer({})
    expect(written.mock.calls.join('')).toBe(
      `Warning: other users can read the token in ${file}. Run \`chmod 600 ${file}\`.\n`,
    )
  })
})
