import { readdirSync, readlinkSync } from 'node:fs'

/** The processes whose working directory is a directory or below it. */
export function processesIn(directory: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)
    } catch {
      return false
    }
  })
}
