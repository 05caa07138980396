import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Packs both packages as they are published. Returns the paths of the tarballs. */
export function pack(directory: string): { readonly planspan: string; readonly sdk: string } {
  const args = ['pack', '--json', '--ignore-scripts', '--workspaces', '--include-workspace-root']
  const output = execFileSync('npm', [...args, '--pack-destination', directory], { cwd: root, encoding: 'utf8' })
  const packed = Object.values(JSON.parse(output) as Record<string, { name: string; filename: string }>)
  const pathOf = (name: string) => join(directory, packed.find((one) => one.name === name)?.filename ?? '')
  return { planspan: pathOf('planspan'), sdk: pathOf('@planspan/sdk') }
}

/** Unpacks a tarball into a directory, as npm does. */
export function unpack(tarball: string, directory: string): void {
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', directory])
}
