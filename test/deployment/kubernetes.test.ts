import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

import { command } from '../../src/cli/serve/serve.js'

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds?: number
  readonly timeoutSeconds?: number
  readonly failureThreshold?: number
}

interface Container {
  readonly args: readonly string[]
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly volumeMounts: readonly { readonly mountPath: string; readonly subPath?: string }[]
  readonly securityContext: unknown
  readonly resources: { readonly limits: unknown; readonly requests: unknown }
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}

interface Pod {
  readonly automountServiceAccountToken: boolean
  readonly securityContext: unknown
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly [Container]
}

interface Manifest {
  readonly kind: string
  readonly spec: {
    readonly template: { readonly spec: Pod }
    readonly ports: readonly { readonly targetPort: string }[]
  }
}

interface Kustomization {
  readonly resources: readonly string[]
  readonly images: readonly { readonly newTag: string }[]
  readonly configMapGenerator: readonly { readonly name: string; readonly literals: readonly string[] }[]
  readonly secretGenerator: readonly {
    readonly name: string
    readonly envs?: readonly string[]
    readonly files?: readonly string[]
    readonly options?: { readonly disableNameSuffixHash: boolean }
  }[]
  readonly generatorOptions?: unknown
}

const text = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const folder = 'collector-config/kubernetes/planspan'
const kustomization = parse(text(`${folder}/kustomization.yaml`)) as Kustomization
const manifests = parseAllDocuments(text(`${folder}/planspan.yaml`)).map((document) => document.toJS() as Manifest)
const ofKind = (kind: string) => manifests.find((manifest) => manifest.kind === kind)?.spec
const pod = ofKind('Deployment')?.template.spec
const container = pod?.containers[0]

describe('planspan on Kubernetes', () => {
  it('has only the rights that it needs', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    // The user of node's own images; Kubernetes requires a number.
    expect(text('Dockerfile')).toMatch(/^FROM node:[^\n]*\nENV[^]*\nUSER node$/m)
  })

  it('has a memory limit, and the time to store the spans that have arrived', () => {
    expect(container?.resources).toMatchObject({ limits: { memory: '2Gi' }, requests: { memory: '512Mi' } })
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(40)
  })

  it('has probes on its ports, with time for /readyz to report a reason and for new tables to be created', () => {
    const { startupProbe: startup, livenessProbe: liveness, readinessProbe: readiness } = container ?? {}
    expect([startup, liveness, readiness].map((probe) => probe?.httpGet)).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/healthz', port: 'http' },
      { path: '/readyz?reading', port: 'http' },
    ])
    expect(readiness?.timeoutSeconds).toBeGreaterThan(5)
    expect((startup?.periodSeconds ?? 0) * (startup?.failureThreshold ?? 0)).toBeGreaterThanOrEqual(1800)
  })

  it('restarts when its settings change: the names of their objects contain a hash', () => {
    const { configMapGenerator: configs, secretGenerator: secrets } = kustomization
    expect(container?.envFrom).toEqual([
      { configMapRef: { name: configs[0]?.name } },
      { secretRef: { name: secrets[0]?.name } },
    ])
    expect(kustomization.generatorOptions).toBeUndefined()
    expect(kustomization.resources).toEqual(['planspan.yaml'])
  })

  it('has only known options and variables, including the retention, and no password', () => {
    const set = kustomization.configMapGenerator.flatMap(({ literals }) => literals.map((line) => line.split('=')[0]))
    const [name, ...args] = container?.args ?? []
    expect(name).toBe('serve')
    const options = args.map((arg) => /^--([\w-]+)(?:=|$)/.exec(arg)?.[1] ?? arg)
    expect(Object.keys(command.options)).toEqual(expect.arrayContaining(options))
    expect(options).toContain('retention')
    const used = args.flatMap((arg) => /\$\((\w+)\)/.exec(arg)?.[1] ?? [])
    expect(used.toSorted()).toEqual(set.toSorted())
    expect(text(`${folder}/kustomization.yaml`)).not.toMatch(/\/\/[^/\s]*:[^/\s]*@/)
    const ports = container?.ports.map(({ name: port }) => port)
    expect(ofKind('Service')?.ports.map(({ targetPort }) => targetPort)).toEqual(ports)
  })

  it('requires tokens from a file that is updated without a restart', () => {
    const [mount] = container?.volumeMounts ?? []
    const [file, ...others] = kustomization.secretGenerator[1]?.files ?? []
    expect(container?.args).toContain(`--tokens=${mount?.mountPath ?? ''}/${file ?? ''}`)
    expect({ others, subPath: mount?.subPath }).toEqual({ others: [], subPath: undefined })
    expect(kustomization.secretGenerator[1]?.options).toEqual({ disableNameSuffixHash: true })
    expect(pod).toMatchObject({
      securityContext: { fsGroup: 1000 },
      volumes: [{ secret: { secretName: kustomization.secretGenerator[1]?.name, defaultMode: 0o440 } }],
    })
  })

  it('runs this version', () => {
    const { version } = JSON.parse(text('package.json')) as { version: string }
    expect(kustomization.images[0]?.newTag).toBe(version)
  })
})
