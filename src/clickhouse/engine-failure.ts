import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

import { PlanspanError } from '../error.js'
import { type DataDirectory, diskFull } from './data-directory.js'
import { portInUse } from './ports.js'

const maxTailBytes = 64 * 1024
const maxLines = 12
const maxLineLength = 300
// Irrelevant lines that every start and the crash handler write.
const noise =
  /^(Failed to write a log message|cannot lock mutex|Logging \w+ to |ClickHouse local version|Ok\.$|Query id: |:\)|\d+\. .* @ 0x)/

/** Returns the current end of ClickHouse's log, so that a later failure quotes only newer lines. */
export function logPosition(directory: DataDirectory): number {
  return statSync(directory.log, { throwIfNoEntry: false })?.size ?? 0
}

/** Whether a statement of serve.sql failed. The engine then waits at its prompt without opening its ports. */
export function hasRefused(directory: DataDirectory): boolean {
  return readTail(directory.output, 0).includes('\nReceived exception')
}

/** Returns the last message of ClickHouse's log after the position `from`. */
export const lastLogged = (directory: DataDirectory, from: number): string =>
  lastLines(readTail(directory.log, from))
    .at(-1)
    ?.replace(/^.*?<\w+> /, '') ?? ''

/** Creates the error for a ClickHouse that has ended. It quotes the last lines of the log after the position `from`. */
export function explainFailure(directory: DataDirectory, from: number, event: string): PlanspanError {
  const output = readTail(directory.output, 0)
  const lines = [...lastLines(output), ...lastLines(readTail(directory.log, from))]
  const said = lines.join('\n')
  const heard = output + said
  if (/NOT_ENOUGH_SPACE|No space left on device/.test(heard)) return diskFull(directory.root, new Error(said))
  if (/Address already in use/.test(heard)) {
    return portInUse(/127\.0\.0\.1\]?:(\d+)/.exec(heard)?.[1] ?? 'given', new Error(said))
  }
  return new PlanspanError(
    'clickhouse_failed',
    `${event}. Its log is ${directory.log}. ${lines.length === 0 ? 'It wrote nothing.' : `It last wrote:\n${said}`}`,
  )
}

function lastLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => stripVTControlCharacters(line).trim())
    .filter((line) => line !== '' && !noise.test(line))
    .slice(-maxLines)
    .map((line) => line.slice(0, maxLineLength))
}

function readTail(path: string, from: number): string {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch {
    return ''
  }
  try {
    const { size } = fstatSync(fd)
    // If the log is shorter than before, it was rotated.
    const start = Math.max(size - maxTailBytes, from > size ? 0 : from)
    const buffer = Buffer.alloc(size - start)
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, start))
  } finally {
    closeSync(fd)
  }
}
