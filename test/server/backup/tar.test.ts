import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'

import { BrokenArchive, pack, unpack } from '../../../src/server/backup/tar.js'
import { readHeader, writeHeader } from '../../../src/server/backup/tar-header.js'
import { temporaryDirectory } from '../../clickhouse/temporary-directory.js'

const FILES: Readonly<Record<string, string>> = {
  'short.txt': 'abc',
  'empty.txt': '',
  [`store/${'ä'.repeat(70)}/long.txt`]: 'x'.repeat(512),
  [`store/${'y'.repeat(120)}.bin`]: 'x'.repeat(1500),
}

async function* entries() {
  for (const [path, text] of Object.entries(FILES)) {
    const content = Buffer.from(text)
    yield { path, size: content.length, content: [content] }
  }
}

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readAll(bytes: Buffer, size = 700): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { path, content } of unpack(inPieces(bytes, size))) found[path] = (await buffer(content)).toString()
  return found
}

describe('an archive', () => {
  test.each([1, 511, 512, 100_000])('is read as it was written, in pieces of %d bytes', async (size) => {
    expect(await readAll(await buffer(pack(entries())), size)).toEqual(FILES)
  })

  test('is one to tar, and what tar writes is one here', async () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'a.tar'), await buffer(pack(entries())))
    execFileSync('tar', ['xf', 'a.tar'], { cwd: directory })
    for (const [path, text] of Object.entries(FILES)) expect(readFileSync(join(directory, path), 'utf8')).toBe(text)
    const again = join(directory, 'again')
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(again, path)), { recursive: true })
      writeFileSync(join(again, path), text)
    }
    const names = Object.keys(FILES)
    const bytes = execFileSync('tar', ['--format=posix', '--pax-option=delete=?time', '-cf', '-', ...names], {
      cwd: again,
    })
    expect(await readAll(bytes)).toEqual(FILES)
  })

  test.each([0, 8 ** 11 - 1, 8 ** 11, 2 ** 43])('has room for a file of %d bytes', (size) => {
    expect(readHeader(writeHeader('large.bin', size))).toEqual({ path: 'large.bin', size, type: '0' })
  })

  test('that is cut off or damaged is told', async () => {
    const bytes = await buffer(pack(entries()))
    for (const length of [0, 100, 512, bytes.length - 1024, bytes.length - 513]) {
      await expect(readAll(bytes.subarray(0, length))).rejects.toThrow(new BrokenArchive('It is cut off.'))
    }
    bytes[3] = 0
    await expect(readAll(bytes)).rejects.toThrow(BrokenArchive)
  })
})
