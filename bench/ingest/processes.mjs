// What a process has used, as Linux tells it.
import { readFile, writeFile } from 'node:fs/promises'

const TICKS_PER_SECOND = 100

/** User and system time so far, seconds. */
export async function cpuSeconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The largest resident size since the start, or since `forgetPeak`, in MB. */
export async function peakMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'latin1')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

export const forgetPeak = (pid) => writeFile(`/proc/${pid}/clear_refs`, '5')
