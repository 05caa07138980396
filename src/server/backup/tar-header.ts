import { Buffer } from 'node:buffer'

export const BLOCK = 512

/** What the header of a file in a tar archive tells. */
export interface TarHeader {
  readonly path: string
  readonly size: number
  /** `x` for more on the file that follows. */
  readonly type: '0' | 'x'
}

/** Where a header's fields lie. */
const NAME = { at: 0, length: 100 }
const SIZE = { at: 124, length: 12 }
const CHECKSUM = { at: 148, length: 8 }
const TYPE = 156
/** The largest size that has room as octal digits. */
const MAX_OCTAL = 0o77777777777

/** The blocks before a file's content: as POSIX (pax) has them, which every `tar` reads. */
export function writeHeader(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) <= NAME.length) return ustar({ path, size, type: '0' })
  const record = Buffer.from(paxRecord('path', path))
  const padding = Buffer.alloc(paddingOf(record.length))
  return Buffer.concat([
    ustar({ path: 'path', size: record.length, type: 'x' }),
    record,
    padding,
    ustar({ path: path.slice(-NAME.length), size, type: '0' }),
  ])
}

/** How many bytes follow a content, so that the next header begins a block. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

/** The header in a block; null for the end of an archive, undefined for what is no header. */
export function readHeader(block: Buffer): TarHeader | null | undefined {
  if (block.every((byte) => byte === 0)) return null
  if (Number.parseInt(field(block, CHECKSUM), 8) !== checksum(block)) return undefined
  const type = String.fromCharCode(block[TYPE] ?? 0)
  if (type !== '0' && type !== 'x') return undefined
  return { path: field(block, NAME), size: readSize(block), type }
}

/** The path in a record of an extended header; undefined if there is none. */
export const readPaxPath = (content: Buffer): string | undefined => /^\d+ path=(.*)\n$/s.exec(content.toString())?.[1]

function ustar({ path, size, type }: TarHeader): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(path, NAME.at, NAME.length)
  block.write('0000600\x000000000\x000000000\x00', 100)
  writeSize(block, size)
  block.write('00000000000\0', 136)
  block.write(type, TYPE)
  block.write('ustar\x0000', 257)
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, CHECKSUM.at)
  return block
}

/** The sum of all bytes, with blanks in place of the sum itself. */
function checksum(block: Buffer): number {
  const own = block.subarray(CHECKSUM.at, CHECKSUM.at + CHECKSUM.length)
  const sum = (bytes: Buffer) => bytes.reduce((all, byte) => all + byte, 0)
  return sum(block) - sum(own) + CHECKSUM.length * 0x20
}

function writeSize(block: Buffer, size: number): void {
  if (size <= MAX_OCTAL) {
    block.write(`${size.toString(8).padStart(SIZE.length - 1, '0')}\0`, SIZE.at)
    return
  }
  // A number of as many bytes, which the first bit tells.
  block[SIZE.at] = 0x80
  block.writeBigUInt64BE(BigInt(size), SIZE.at + SIZE.length - 8)
}

const readSize = (block: Buffer): number =>
  block[SIZE.at] === 0x80
    ? Number(block.readBigUInt64BE(SIZE.at + SIZE.length - 8))
    : Number.parseInt(field(block, SIZE), 8)

const field = (block: Buffer, { at, length }: { at: number; length: number }): string =>
  block.toString('utf8', at, at + length).replace(/\0.*/s, '')

/** `length key=value\n`, where the length counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  const digits = String(bytes + String(bytes).length).length
  return `${String(bytes + digits)}${rest}`
}
