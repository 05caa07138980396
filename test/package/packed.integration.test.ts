import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const project = mkdtempSync(join(tmpdir(), 'planspan-packed-'))
const installed = join(project, 'node_modules/planspan')

/** A project that has the packed package installed, beside the dependencies of this one. */
beforeAll(() => {
  const run = (command: string, args: string[]) => execFileSync(command, args, { cwd: root, encoding: 'utf8' })
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project])) as [
    { filename: string },
  ]
  mkdirSync(installed, { recursive: true })
  run('tar', ['-xzf', join(project, packed.filename), '-C', installed, '--strip-components', '1'])
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
  }
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

const node = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })

describe('the packed package', () => {
  test('can be imported by each of its subpaths', () => {
    const script = `
      const names = ['planspan', 'planspan/records', 'planspan/server']
      for (const name of names) console.log(name, Object.keys(await import(name)).length > 0)`
    writeFileSync(join(project, 'import.mjs'), script)
    expect(node('import.mjs')).toBe('planspan true\nplanspan/records true\nplanspan/server true\n')
  })

  test('proves a record through OTLP and ClickHouse by itself', () => {
    const file = join(root, 'test/fixtures/lynxe/details-waiting-input.json')
    expect(node(join(installed, 'dist/cli/main.js'), 'verify', file)).toContain('identical (1 record, 4 spans)')
  })

  test('holds what a user needs and nothing of the workshop', () => {
    expect(readdirSync(installed).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'collector-config',
      'dashboards',
      'dist',
      'docs',
      'package.json',
    ])
  })
})
