import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, inject, it } from 'vitest'
import { parse } from 'yaml'

import { configuration, validate } from './collector.js'

interface Configuration {
  readonly receivers?: Readonly<Record<string, OtlpReceiver>>
  readonly processors?: Readonly<Record<string, unknown>>
  readonly exporters?: Readonly<Record<string, Exporter>>
  readonly extensions?: Readonly<Record<string, unknown>>
}

interface OtlpReceiver {
  readonly protocols: {
    readonly grpc: { readonly max_recv_msg_size_mib: number }
    readonly http: { readonly max_request_body_size: number }
  }
}

interface Exporter {
  readonly sending_queue: { readonly storage?: string; readonly batch: { readonly max_size: number } }
  readonly retry_on_failure: { readonly max_elapsed_time?: string }
}

const FILES = ['agent.yaml', 'gateway.yaml', 'to-jaeger.yaml', 'to-gateway.yaml'] as const
const MIB = 1024 * 1024

const read = (name: string) => parse(readFileSync(configuration(name), 'utf8'), { merge: true }) as Configuration
const all = Object.fromEntries(FILES.map((name) => [name, read(name)])) as Record<(typeof FILES)[number], Configuration>

/** The types of components, without the names behind the slash. */
const types = (kind: keyof Configuration) =>
  [
    ...new Set(
      Object.values(all).flatMap((config) => Object.keys(config[kind] ?? {}).map((id) => id.replace(/\/.*/, ''))),
    ),
  ].sort()

describe('the configurations', () => {
  it.each([
    [['agent.yaml']],
    [['agent.yaml', 'to-jaeger.yaml']],
    [['agent.yaml', 'to-gateway.yaml']],
    [['agent.yaml', 'to-gateway.yaml', 'to-jaeger.yaml']],
    [['gateway.yaml']],
    [['gateway.yaml', 'to-jaeger.yaml']],
  ])('%j are valid', (configs) => {
    const { status, stderr } = validate(configs)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('an unknown setting is rejected', () => {
    expect(validate(['agent.yaml', 'yaml:exporters::clickhouse::create_scheme: true'])).toMatchObject({ status: 1 })
  })

  it('use all components of the manifest, and no others', () => {
    const { stdout } = spawnSync(inject('goBinaries').collector, ['components'], { encoding: 'utf8' })
    const built = parse(stdout) as Record<keyof Configuration, { name: string }[]>
    const kinds = ['receivers', 'processors', 'exporters', 'extensions'] as const
    const namesOf = (of: (kind: (typeof kinds)[number]) => string[]) => kinds.map((kind) => [kind, of(kind)])
    expect(namesOf(types)).toEqual(namesOf((kind) => built[kind].map(({ name }) => name).sort()))
  })

  it.each([
    ['agent.yaml', 'clickhouse'],
    ['to-gateway.yaml', 'otlp_grpc/gateway'],
    ['gateway.yaml', 'clickhouse'],
  ] as const)('%s: the queue of %s is on the disk and never gives up', (file, exporter) => {
    const { sending_queue, retry_on_failure } = all[file].exporters![exporter]!
    expect(sending_queue.storage).toBe('file_storage')
    expect(retry_on_failure.max_elapsed_time).toBe('0s')
  })

  it.each([
    ['agent.yaml', ['agent.yaml', 'clickhouse']],
    ['agent.yaml', ['to-gateway.yaml', 'otlp_grpc/gateway']],
    ['gateway.yaml', ['gateway.yaml', 'clickhouse']],
  ] as const)('%s takes no request that is too large for a batch of %j', (receiving, [file, exporter]) => {
    const { grpc, http } = all[receiving].receivers!['otlp']!.protocols
    const batch = all[file].exporters![exporter]!.sending_queue.batch.max_size
    expect(grpc.max_recv_msg_size_mib * MIB).toBeLessThan(batch)
    expect(http.max_request_body_size).toBeLessThan(batch)
  })

  it('the gateway accepts every batch of an agent', () => {
    const batch = all['to-gateway.yaml'].exporters!['otlp_grpc/gateway']!.sending_queue.batch.max_size
    expect(all['gateway.yaml'].receivers!['otlp']!.protocols.grpc.max_recv_msg_size_mib * MIB).toBeGreaterThan(batch)
  })
})
