import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

interface Values {
  readonly resources: { readonly limits: { readonly memory: string } }
  readonly securityContext: unknown
  readonly image: { readonly tag: string }
  readonly extraEnvs: readonly { readonly name: string; readonly value?: string }[]
  readonly extraVolumes: readonly { readonly name: string }[]
  readonly extraVolumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly command?: { readonly extraArgs: readonly string[] }
  readonly statefulset?: { readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[] }
}

const text = (name: string) => readFileSync(new URL(`../../collector-config/${name}`, import.meta.url), 'utf8')

describe.each([
  ['agent-values.yaml', ['agent.yaml', 'to-gateway.yaml']],
  ['gateway-values.yaml', ['gateway.yaml']],
])('kubernetes/%s', (file, configurations) => {
  const values = parse(text(`kubernetes/${file}`)) as Values

  it('sets only variables that the configurations read', () => {
    const read = configurations.flatMap((name) => [...text(name).matchAll(/\$\{env:(\w+)/g)].map(([, name]) => name))
    expect(read).toEqual(expect.arrayContaining(values.extraEnvs.map(({ name }) => name)))
  })

  it('mounts every volume, and every file that it names', () => {
    const volumes = [
      ...values.extraVolumes.map(({ name }) => name),
      ...(values.statefulset?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
    ]
    expect(values.extraVolumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort())
    const named = [...values.extraEnvs.map(({ value = '' }) => value), ...(values.command?.extraArgs ?? [])]
    const paths = named.map((value) => value.replace('--config=', '')).filter((value) => value.startsWith('/'))
    expect(paths.length).toBeGreaterThan(1)
    const isMounted = (path: string) =>
      values.extraVolumeMounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`))
    expect(paths.filter((path) => !isMounted(path))).toEqual([])
  })

  it('limits memory and rights', () => {
    expect(values.resources.limits.memory).toMatch(/^\dGi$/)
    expect(values.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      seccompProfile: { type: 'RuntimeDefault' },
      capabilities: { drop: ['ALL'] },
    })
  })

  it('is installed with an annotation that changes with its configurations', () => {
    const [, summed = ''] =
      new RegExp(`-f kubernetes/${file} --set-string podAnnotations\\.\\w+=\\$\\(sum ([^)]*)\\)`).exec(
        text('README.md'),
      ) ?? []
    expect(summed.split(' ')).toEqual(expect.arrayContaining(configurations))
  })

  it('runs the collector of the manifest', () => {
    const { dist } = parse(text('builder.yaml')) as { dist: { version: string } }
    expect(values.image.tag).toBe(dist.version)
  })
})
