import { createHash } from 'node:crypto'

/** Returns the first hex digits of a SHA-256. They are never all zero, because OTLP treats such ids as missing. */
export function hashId(text: string, digits: 16 | 32): string {
  const id = createHash('sha256').update(text).digest('hex').slice(0, digits)
  return /^0+$/.test(id) ? id.replace(/0$/, '1') : id
}
