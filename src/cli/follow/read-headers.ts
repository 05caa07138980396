import { readFile } from 'node:fs/promises'

import { PlanspanError } from '../../error.js'

/** Reads headers from a file, `Name: value` per line, since secrets do not belong on a command line. Throws `usage`. */
export async function readHeaders(path: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (path === undefined) return {}
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PlanspanError('usage', `The header file cannot be read: ${reason}.`, { cause })
  })
  const headers: Record<string, string> = {}
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined) {
      throw new PlanspanError('usage', `${path} has a malformed line. Write each header as \`Name: value\`.`)
    }
    headers[name.toLowerCase()] = value
  }
  return headers
}
