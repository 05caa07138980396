import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { execute, type FreshDatabase } from './clickhouse.js'

type Where = Pick<FreshDatabase, 'url' | 'database'>

const asText = (text: string) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`

/**
 * The tables of a database, or its views, with rows that contain one of the texts, or a hash of one like `plan_keys`.
 */
export async function answeringWith(
  { url, database }: Where,
  what: 'tables' | 'views',
  ...texts: readonly string[]
): Promise<string[]> {
  const engines = what === 'tables' ? "LIKE '%MergeTree'" : "= 'View'"
  const names = await execute(
    url,
    `SELECT name FROM system.tables WHERE database = '${database}' AND engine ${engines} ORDER BY name`,
  )
  const answers = names
    .trim()
    .split('\n')
    .map(async (name) => {
      const answer = await execute(url, `SELECT * FROM ${database}.${name} FORMAT RowBinary`)
      if (texts.some((text) => answer.includes(text))) return [name]
      if (!name.startsWith('plan_keys')) return []
      const hashes = texts.map((text) => `sipHash64(${asText(text)})`).join(', ')
      const rows = await execute(url, `SELECT count() FROM ${database}.${name} WHERE Key IN (${hashes})`)
      return rows.trim() === '0' ? [] : [name]
    })
  return (await Promise.all(answers)).flat()
}

/** The files of a database that contain a text, after decompressing ClickHouse's blocks. */
export async function filesHolding({ url, database }: Where, text: string): Promise<string[]> {
  const paths = await execute(
    url,
    `SELECT DISTINCT arrayJoin(data_paths) FROM system.tables WHERE database = '${database}'`,
  )
  const files = paths.trim().split('\n').flatMap(filesBelow)
  const holding: string[] = []
  for (const file of files) {
    const bytes = readIfThere(file)
    const bodies = file.endsWith('.bin') ? blocksOf(bytes) : []
    const found = await Promise.all(bodies.map((body) => holds(url, body, text)))
    if (bytes.includes(text) || found.includes(true)) holding.push(file)
  }
  return holding
}

const filesBelow = (directory: string): string[] =>
  (readdirIfThere(directory) ?? []).flatMap((name) => {
    const path = join(directory, name)
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? filesBelow(path) : [path]
  })

/** Ignores files that ClickHouse deletes during the search. */
function readdirIfThere(directory: string): string[] | undefined {
  try {
    return readdirSync(directory)
  } catch {
    return undefined
  }
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

const CHECKSUM_BYTES = 16
const METHODS = new Set([0x02, 0x82, 0x90, 0x91, 0x92, 0x93])

/** The compressed blocks of a file, grouped by codec: ClickHouse accepts one codec at a time over HTTP. */
function blocksOf(file: Buffer): Buffer[] {
  const byMethod = new Map<number, Buffer[]>()
  for (let at = 0; at + CHECKSUM_BYTES + 9 <= file.length;) {
    const method = file.readUInt8(at + CHECKSUM_BYTES)
    if (!METHODS.has(method)) throw new Error(`There is a block of an unknown codec: ${String(method)}`)
    const end = at + CHECKSUM_BYTES + file.readUInt32LE(at + CHECKSUM_BYTES + 1)
    byMethod.set(method, [...(byMethod.get(method) ?? []), file.subarray(at, end)])
    at = end
  }
  return [...byMethod.values()].map((blocks) => Buffer.concat(blocks))
}

/** ClickHouse's error code FUNCTION_THROW_IF_VALUE_IS_NON_ZERO. */
const FOUND = 'Code: 395.'

/** Whether compressed blocks contain a text after ClickHouse decompresses them. */
async function holds(url: string, body: Buffer, text: string): Promise<boolean> {
  const { origin, username, password } = new URL(url)
  const query =
    `INSERT INTO FUNCTION null('found UInt8') SELECT throwIf(position(raw, ${asText(text)}) > 0) ` +
    `FROM input('raw String') FORMAT RawBLOB`
  const response = await fetch(`${origin}/?decompress=1&query=${encodeURIComponent(query)}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
    body: new Uint8Array(body),
  })
  const answer = await response.text()
  if (!response.ok && !answer.startsWith(FOUND)) throw new Error(answer.slice(0, 300))
  return !response.ok
}
