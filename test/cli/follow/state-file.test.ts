import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { readHeaders } from '../../../src/cli/follow/follow.js'
import { StateFile } from '../../../src/cli/follow/state-file.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('the state of following', () => {
  test('is the last saved state, in a file that only its owner can read', async () => {
    const path = join(directory, 'below', 'state.json')
    const file = await StateFile.open(path, ['a', 'b'])
    await file.save()
    expect(() => readFileSync(path)).toThrow(/ENOENT/)
    file.state.settled.push('plan-1')
    await file.save()
    expect(readdirSync(join(directory, 'below'))).toEqual(['state.json'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await StateFile.open(path, ['a', 'b'])).state.settled).toEqual(['plan-1'])
  })

  test('is not used for another source, and no other file is used for it', async () => {
    const path = join(directory, 'state.json')
    const file = await StateFile.open(path, ['a'])
    file.state.settled.push('plan-1')
    await file.save()
    await expect(StateFile.open(path, ['b'])).rejects.toThrow(/is the state file of another source: \["a"\]/)
    for (const text of ['', '{}', '[]', '{"of":"[]","files":[{}]}']) {
      writeFileSync(path, text)
      await expect(StateFile.open(path, ['a'])).rejects.toThrow(/is not a state file of `planspan follow`/)
    }
    await expect(StateFile.open(directory, ['a'])).rejects.toThrow(/cannot be read: EISDIR/)
  })
})

describe('a file of headers', () => {
  test('has a header per line', async () => {
    const path = join(directory, 'headers')
    writeFileSync(path, 'Authorization: Bearer a:b \r\n\nX-Team:one\n')
    expect(await readHeaders(path)).toEqual({ authorization: 'Bearer a:b', 'x-team': 'one' })
    expect(await readHeaders(undefined)).toEqual({})
  })

  test('reports what is wrong, without its secrets', async () => {
    const path = join(directory, 'headers')
    writeFileSync(path, 'secret\n')
    await expect(readHeaders(path)).rejects.toThrow(/^.*has a malformed line/)
    await expect(readHeaders(path)).rejects.not.toThrow(/secret/)
    await expect(readHeaders(join(directory, 'none'))).rejects.toThrow(/ENOENT/)
  })
})
