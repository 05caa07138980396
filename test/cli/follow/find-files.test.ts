import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { findFiles } from '../../../src/cli/follow/find-files.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const found = async (): Promise<string[]> => (await findFiles(directory)).map(({ path }) => relative(directory, path))

test('finds files that may contain records, including rotated files, and no others', async () => {
  mkdirSync(join(directory, 'below', '.git'), { recursive: true })
  const names = [
    'a.json',
    'b.jsonl',
    'b.jsonl.1',
    'c.ndjson',
    'd.sse',
    '.e.json',
    'f.png',
    'g.json.tmp',
    'below/h.json',
  ]
  for (const name of [...names, 'below/.git/i.json']) writeFileSync(join(directory, name), '')
  expect((await found()).sort()).toEqual(['a.json', 'b.jsonl', 'b.jsonl.1', 'below/h.json', 'c.ndjson', 'd.sse'])
})

test('finds each file once, by whatever path, and stops at cyclic links', async () => {
  mkdirSync(join(directory, 'runs'))
  writeFileSync(join(directory, 'runs', 'a.json'), '')
  linkSync(join(directory, 'runs', 'a.json'), join(directory, 'runs', 'b.json'))
  symlinkSync('runs', join(directory, 'latest'))
  symlinkSync('..', join(directory, 'runs', 'up'))
  symlinkSync('nowhere', join(directory, 'dead.json'))
  expect(await found()).toEqual(['latest/a.json'])
})
