import { setTimeout } from 'node:timers/promises'

const FIRST_MS = 500
const LONGEST_MS = 30_000

/** Waits for a time, or until the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {})
}

/** The pause after the nth failure in a row, milliseconds; the jitter keeps many followers from returning at once. */
export const backoff = (failures: number): number =>
  Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS) * (0.75 + Math.random() / 2)

const BYTES_PER_SECOND = 65_536

/**
 * How long to leave a record alone after importing it, milliseconds. A record that grows step by step is stored again
 * as a whole, so importing a large record at each step would cost the square of its size.
 */
export const pauseAfter = (bytes: number): number => (bytes / BYTES_PER_SECOND) * 1000
