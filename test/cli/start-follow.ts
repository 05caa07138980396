import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { onTestFinished } from 'vitest'

import { MAIN } from './run-cli.js'

/** A line of `planspan follow --json`. */
export interface FollowEvent {
  readonly event: string
  readonly planId?: string
  readonly dialect?: string
  readonly state?: string
  readonly from?: string
  readonly message?: string
  readonly records?: number
  readonly refused?: number
}

export interface Following {
  /** The events so far. */
  readonly events: readonly FollowEvent[]
  /** Resolves to the first event, past or future, that matches. */
  until(wanted: (event: FollowEvent) => boolean): Promise<FollowEvent>
  /** Sends a signal and resolves to the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `planspan follow --json` with a short interval. */
export function startFollow(args: readonly string[]): Following {
  const child = spawn(process.execPath, [MAIN, 'follow', '--json', '--interval', '0.1', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close') as Promise<[number | null]>
  const events: FollowEvent[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => events.push(JSON.parse(line) as FollowEvent))
  return {
    events,
    async until(wanted) {
      const signal = AbortSignal.timeout(20_000)
      for (;;) {
        const found = events.find(wanted)
        if (found) return found
        await once(lines, 'line', { signal }).catch((cause: unknown) => {
          throw new Error(`The command reported only ${JSON.stringify(events)}`, { cause })
        })
      }
    },
    async end(signal = 'SIGINT') {
      child.kill(signal)
      return (await closed)[0]
    },
  }
}
