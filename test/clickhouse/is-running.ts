import { readFileSync } from 'node:fs'

/** Whether a process is running; a killed process that its parent has not reaped is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    // proc_pid_stat(5): the state is the field after the command in parentheses.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
