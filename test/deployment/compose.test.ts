import { Ajv } from 'ajv'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

interface Service {
  readonly mem_limit?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly command?: readonly string[]
  readonly image?: string
  readonly build?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const text = (name: string) => readFileSync(path(name), 'utf8')

const compose = parse(text('compose.yaml')) as Compose
const services = Object.entries(compose.services)

const mebibytes = (limit = ''): number => Number(/^(\d+)g$/.exec(limit)?.[1]) * 1024

/** What a service mounts: a path of this repository or a named volume, and where. */
const mounts = services.flatMap(([service, { volumes = [] }]) =>
  volumes.map((volume) => {
    const [source = '', target = ''] = volume.split(':')
    return { service, source, target }
  }),
)

describe('compose.yaml', () => {
  it('is valid by the Compose Specification', () => {
    const schema = JSON.parse(text('test/fixtures/compose-spec/compose-spec.json')) as { $schema?: string }
    delete schema.$schema
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
    validate(compose)
    expect(validate.errors).toBe(null)
  })

  it('mounts files that are there, and volumes that it declares', () => {
    expect(mounts.filter(({ source }) => source.startsWith('.') && !existsSync(path(source)))).toEqual([])
    const named = mounts.map(({ source }) => source).filter((source) => !source.startsWith('.'))
    expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)))
  })

  it('sets no variable that the mounted configurations don’t read', () => {
    const configurations = mounts.filter(({ source }) => source.startsWith('./collector-config'))
    expect(configurations.map(({ service }) => service)).toEqual(expect.arrayContaining(['collector', 'jaeger']))
    for (const { service, source } of configurations) {
      const read = [...text(source).matchAll(/\$\{env:(\w+)/g)].map(([, name]) => name)
      expect(read).toEqual(expect.arrayContaining(Object.keys(compose.services[service]?.environment ?? {})))
    }
  })

  it('runs pinned images, the collector in the version of the manifest', () => {
    const images = services.flatMap(([, { image }]) => image ?? [])
    expect(images.filter((image) => !/:\d+\.\d+\.\d+(\.\d+)?$/.test(image))).toEqual([])
    const { dist } = parse(text('collector-config/builder.yaml')) as { dist: { version: string } }
    expect(images).toContain(`otel/opentelemetry-collector-contrib:${dist.version}`)
  })

  it('says that planspan is open, which loopback alone can reach', () => {
    expect(compose.services['planspan']?.command).toEqual(expect.arrayContaining(['--host=0.0.0.0', '--open']))
  })

  it('publishes on loopback alone, and knows no password', () => {
    const published = services.flatMap(([, { ports = [] }]) => ports)
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
    const uses = text('compose.yaml').match(/\$\{CLICKHOUSE_PASSWORD[^}]*\}/g) ?? []
    expect(uses.length).toBeGreaterThan(2)
    expect(uses.filter((use) => use.includes('-'))).toEqual([])
  })

  it('puts no password on a command line', () => {
    const tests = services.flatMap(([, { healthcheck }]) => healthcheck?.test ?? [])
    const words = [...services.flatMap(([, { command = [] }]) => command), ...tests]
    expect(words.filter((word) => /PASSWORD|:[^/]+@/.test(word))).toEqual([])
    expect(compose.services['planspan']?.environment).toHaveProperty('CLICKHOUSE_PASSWORD')
  })

  it('limits the memory of each part, the collector’s above where it refuses requests', () => {
    const limits = new Map(services.map(([name, { mem_limit: limit }]) => [name, mebibytes(limit)]))
    expect([...limits].filter(([, limit]) => !(limit > 0))).toEqual([])
    const [, refuses = ''] = /MEMORY_LIMIT_MIB:-(\d+)/.exec(text('collector-config/agent.yaml')) ?? []
    expect(limits.get('collector')).toBeGreaterThan(Number(refuses))
  })

  it('drops spans some day, and gives planspan no rights and no disk', () => {
    const { command, read_only: isReadOnly, cap_drop: dropped } = compose.services['planspan'] ?? {}
    expect(command).toContain('--retention=${RETENTION_DAYS:-365}')
    expect({ isReadOnly, dropped }).toEqual({ isReadOnly: true, dropped: ['ALL'] })
  })

  it('checks the health of all that can check itself', () => {
    expect(services.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name)).toEqual(['collector'])
  })
})

describe('the Dockerfile', () => {
  it('asks for tokens, unless it is told otherwise', () => {
    expect(text('Dockerfile')).toMatch(/^CMD \["serve", "--host=0\.0\.0\.0", "--plain-http", "--tokens=\/[^"]+"\]$/m)
  })

  it('gets what `npm ci` builds from, and nothing else, of a clone', () => {
    const allowed = [...text('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name)
    expect(allowed).toEqual([
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'scripts',
      'src',
      'packages/sdk/package.json',
      'packages/sdk/tsconfig.json',
      'viewer',
    ])
    expect(allowed.filter((name) => !existsSync(path(name ?? '')))).toEqual([])
  })

  it('installs what packages depend on, what models cost among it, and the peers but for the embedded ClickHouse', () => {
    const manifest = JSON.parse(text('package.json')) as Record<string, Readonly<Record<string, string>>>
    expect(Object.keys(manifest['dependencies'] ?? {})).toContain('@pydantic/genai-prices')
    const [, left = ''] =
      /for \(const n in p\.peerDependencies\) if \(!\[([^\]]*)\]\.includes\(n\)\) p\.dependencies/.exec(
        text('Dockerfile'),
      ) ?? []
    const without = left.split(', ').map((name) => name.slice(1, -1))
    expect(without).toEqual(['chdb', 'ffi-rs'])
    const peers = Object.keys(manifest['peerDependencies'] ?? {})
    expect(peers).toEqual(expect.arrayContaining(without))
    // Of each it takes the version that is tested.
    expect(Object.keys(manifest['devDependencies'] ?? {})).toEqual(expect.arrayContaining(peers))
  })
})
