import { readFile } from 'node:fs/promises'

import { PlanspanError } from '../../error.js'

/** The headers of a file, `Name: value` a line; secrets do not belong on a command line. Throws `usage`. */
export async function readHeaders(path: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (path === undefined) return {}
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PlanspanError('usage', `The file of headers cannot be read: ${reason}.`, { cause })
  })
  const headers: Record<string, string> = {}
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined) {
      throw new PlanspanError('usage', `${path} has a line that is no header. Write one as \`Name: value\`.`)
    }
    headers[name.toLowerCase()] = value
  }
  return headers
}
