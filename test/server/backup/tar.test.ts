import { execFileSync } from 'node:child_process'
import { createReadStream, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'

import { BrokenArchive, pack, unpack } from '../../../src/server/backup/backup-file.js'
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
  test.each([1, 511, 512, 100_000])('is read as it was written, in chunks of %d bytes', async (size) => {
    expect(await readAll(await buffer(pack(entries())), size)).toEqual(FILES)
  })

  test('is readable by tar, and archives of tar are readable here', async () => {
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

  test('that is truncated or damaged is rejected', async () => {
    const bytes = await buffer(pack(entries()))
    for (const length of [0, 100, 512, bytes.length - 1024, bytes.length - 513]) {
      await expect(readAll(bytes.subarray(0, length))).rejects.toThrow(BrokenArchive)
    }
    bytes[3] = 0
    await expect(readAll(bytes)).rejects.toThrow(BrokenArchive)
  })

  test('with anything other than files is rejected', async () => {
    const directory = temporaryDirectory()
    symlinkSync('/etc/passwd', join(directory, 'link'))
    const bytes = execFileSync('tar', ['-cf', '-', 'link'], { cwd: directory })
    await expect(readAll(bytes)).rejects.toThrow(new BrokenArchive('link in it is no file.'))
  })

  test('fails with the errors of its source and of its input', async () => {
    async function* failing() {
      yield* entries()
      throw new Error('no more')
    }
    await expect(buffer(pack(failing()))).rejects.toThrow('no more')
    const gone = createReadStream(join(temporaryDirectory(), 'none.tar'))
    await expect(unpack(gone).next()).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('stops reading when the consumer stops', async () => {
    let isClosed = false
    async function* endless() {
      try {
        for (let at = 0; ; at++) yield { path: `${at}`, size: 1 << 16, content: [Buffer.alloc(1 << 16)] }
      } finally {
        isClosed = true
      }
    }
    for await (const piece of pack(endless())) if (piece.length > 0) break
    await vi.waitFor(() => expect(isClosed).toBe(true))
  })
})
