import { cpSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { openColdDirectory } from '../../src/clickhouse/cold-directory.js'
import { openDataDirectory } from '../../src/clickhouse/data-directory.js'
import type { PlanspanError } from '../../src/error.js'
import { temporaryDirectory } from './temporary-directory.js'

/** A data directory and the possible paths of its cold directory. */
function places() {
  const root = temporaryDirectory()
  const [data, cold, elsewhere] = ['data', 'disk/cold', 'elsewhere'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  return { root, data, cold, elsewhere }
}

const open = (data: string, asked?: string) => openColdDirectory(openDataDirectory(data), asked)
/** An error with a code and a message that contains all the given texts. */
const refusal = (code: string, ...texts: string[]): Error =>
  expect.toSatisfy((error: PlanspanError) => {
    return error.code === code && texts.every((text) => error.message.includes(text))
  }) as Error

describe('a cold directory', () => {
  it('is missing until it is configured, and is remembered after that', () => {
    const { data, cold } = places()
    expect(open(data)).toBeUndefined()
    expect(open(data, cold)).toBe(cold)
    expect(statSync(cold).mode & 0o077).toBe(0)
    expect(open(data)).toBe(cold)
    expect(open(data, cold)).toBe(cold)
  })

  it.each([
    ['is gone', (cold: string) => rmSync(cold, { recursive: true })],
    ['is the empty place of a disk that is not mounted', (cold: string) => emptied(cold)],
  ])('that %s is reported as missing, whether it is named or not', (_how, lose) => {
    const { data, cold } = places()
    open(data, cold)
    lose(cold)
    for (const asked of [undefined, cold]) {
      expect(() => open(data, asked)).toThrow(refusal('cold_data_missing', cold, 'Mount its disk'))
    }
  })

  it('may move, with its content, to another directory that is named, but is not replaced by an empty directory', () => {
    const { data, cold, elsewhere } = places()
    open(data, cold)
    expect(() => open(data, elsewhere)).toThrow(refusal('cold_data_missing', elsewhere, `Move ${cold}`))
    expect(open(data)).toBe(cold)
    renameSync(cold, elsewhere)
    expect(open(data, elsewhere)).toBe(elsewhere)
    expect(open(data)).toBe(elsewhere)
  })

  it('stays with data that moves', () => {
    const { root, data, cold } = places()
    open(data, cold)
    const moved = join(root, 'moved')
    renameSync(data, moved)
    expect(open(moved)).toBe(cold)
  })

  it('is not shared with a copy of the data, which uses its own copy', () => {
    const { root, data, cold, elsewhere } = places()
    open(data, cold)
    const copy = join(root, 'copy')
    cpSync(data, copy, { recursive: true })
    for (const asked of [undefined, cold]) {
      expect(() => open(copy, asked)).toThrow(refusal('cold_data_missing', cold, data, copy))
    }
    cpSync(cold, elsewhere, { recursive: true })
    expect(open(copy, elsewhere)).toBe(elsewhere)
    expect(open(data)).toBe(cold)
  })

  it('of other data is rejected', () => {
    const { root, data, cold } = places()
    open(data, cold)
    expect(() => open(join(root, 'other'), cold)).toThrow(refusal('usage', cold, data, 'Name another directory'))
  })

  it.each([
    ['the data directory itself', ''],
    ['a directory in it', 'cold'],
    ['its parent directory', '..'],
  ])('may not be %s', (_which, path) => {
    const { data } = places()
    expect(() => open(data, join(data, path))).toThrow(refusal('usage', 'Name a directory on another disk'))
    expect(open(data)).toBeUndefined()
  })

  it('that an interrupted start has only marked is adopted', () => {
    const { data, cold } = places()
    open(data, cold)
    rmSync(join(data, 'cold.json'))
    expect(open(data, cold)).toBe(cold)
  })

  it('is not forgotten because a file is damaged', () => {
    const { data, cold } = places()
    open(data, cold)
    writeFileSync(join(data, 'cold.json'), '{')
    expect(() => open(data)).toThrow(refusal('cold_data_missing', 'cold.json', 'Restore it'))
  })
})

function emptied(directory: string): void {
  rmSync(directory, { recursive: true })
  mkdirSync(directory)
}
