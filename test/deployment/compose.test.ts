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

/** The mounts of a service: a path of this repository or a named volume, and the target. */
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

  it('mounts existing files and declared volumes', () => {
    expect(mounts.filter(({ source }) => source.startsWith('.') && !existsSync(path(source)))).toEqual([])
    const named = mounts.map(({ source }) => source).filter((source) => !source.startsWith('.'))
    expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)))
  })

  it('sets only variables that the mounted configurations read', () => {
    const configurations = mounts.filter(({ source }) => source.startsWith('./collector-config'))
    expect(configurations.map(({ service }) => service)).toEqual(expect.arrayContaining(['collector', 'jaeger']))
    for (const { service, source } of configurations) {
      const read = [...text(source).matchAll(/\$\{env:(\w+)/g)].map(([, name]) => name)
      expect(read).toEqual(expect.arrayContaining(Object.keys(compose.services[service]?.environment ?? {})))
    }
  })

  it('runs pinned images, with the collector version of the manifest', () => {
    const images = services.flatMap(([, { image }]) => image ?? [])
    expect(images.filter((image) => !/:\d+\.\d+\.\d+(\.\d+)?$/.test(image))).toEqual([])
    const { dist } = parse(text('collector-config/builder.yaml')) as { dist: { version: string } }
    expect(images).toContain(`otel/opentelemetry-collector-contrib:${dist.version}`)
  })

  it('declares that planspan is open and reachable only on loopback', () => {
    expect(compose.services['planspan']?.command).toEqual(expect.arrayContaining(['--host=0.0.0.0', '--open']))
  })

  it('publishes ports only on loopback, and contains no password', () => {
    const published = services.flatMap(([, { ports = [] }]) => ports)
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
    const uses = text('compose.yaml').match(/\$\{CLICKHOUSE_PASSWORD[^}]*\}/g) ?? []
    expect(uses.length).toBeGreaterThan(2)
    expect(uses.filter((use) => use.includes('-'))).toEqual([])
  })

  it('passes no password on a command line', () => {
    const tests = services.flatMap(([, { healthcheck }]) => healthcheck?.test ?? [])
    const words = [...services.flatMap(([, { command = [] }]) => command), ...tests]
    expect(words.filter((word) => /PASSWORD|:[^/]+@/.test(word))).toEqual([])
    expect(compose.services['planspan']?.environment).toHaveProperty('CLICKHOUSE_PASSWORD')
  })

  it('limits the memory of each service, for the collector above its own limit', () => {
    const limits = new Map(services.map(([name, { mem_limit: limit }]) => [name, mebibytes(limit)]))
    expect([...limits].filter(([, limit]) => !(limit > 0))).toEqual([])
    const [, refuses = ''] = /MEMORY_LIMIT_MIB:-(\d+)/.exec(text('collector-config/agent.yaml')) ?? []
    expect(limits.get('collector')).toBeGreaterThan(Number(refuses))
  })

  it('expires spans, and runs planspan without rights and disks', () => {
    const { command, read_only: isReadOnly, cap_drop: dropped } = compose.services['planspan'] ?? {}
    expect(command).toContain('--retention=${RETENTION_DAYS:-365}')
    expect({ isReadOnly, dropped }).toEqual({ isReadOnly: true, dropped: ['ALL'] })
  })

  it('checks the health of every service that supports it', () => {
    expect(services.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name)).toEqual(['collector'])
  })
})

describe('the Dockerfile', () => {
  it('requires tokens by default', () => {
    expect(text('Dockerfile')).toMatch(/^CMD \["serve", "--host=0\.0\.0\.0", "--plain-http", "--tokens=\/[^"]+"\]$/m)
  })

  it('copies exactly the files of a clone that `npm ci` builds from', () => {
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

  it('installs the dependencies of the packages, including model prices, and the peers except the embedded ClickHouse', () => {
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
    // The tested version of each.
    expect(Object.keys(manifest['devDependencies'] ?? {})).toEqual(expect.arrayContaining(peers))
  })
})
