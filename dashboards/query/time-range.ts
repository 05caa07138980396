/** The time range of a panel. Grafana passes it to the data source with every query. */
export interface TimeRange {
  readonly from: Date
  readonly to: Date
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

const YEAR_MS = 31_536_000_000

// Grafana rounds intervals below the first number to the second number, both in milliseconds.
const ROUNDING = [
  [10, 1],
  [15, 10],
  [35, 20],
  [75, 50],
  [150, 100],
  [350, 200],
  [750, 500],
  [1500, 1000],
  [3500, 2000],
  [7500, 5000],
  [12_500, 10_000],
  [17_500, 15_000],
  [25_000, 20_000],
  [45_000, 30_000],
  [90_000, 60_000],
  [210_000, 120_000],
  [450_000, 300_000],
  [750_000, 600_000],
  [1_050_000, 900_000],
  [1_500_000, 1_200_000],
  [2_700_000, 1_800_000],
  [5_400_000, 3_600_000],
  [9_000_000, 7_200_000],
  [16_200_000, 10_800_000],
  [32_400_000, 21_600_000],
  [86_400_000, 43_200_000],
  [604_800_000, 86_400_000],
  [1_814_400_000, 604_800_000],
  [3_628_800_000, 2_592_000_000],
] as const

/** Returns the milliseconds of a duration in Grafana's format: `30s`, `1h`, `7d`. */
export function durationMs(text: string): number {
  const [, digits, unit] = /^(\d+)([smhdw])$/.exec(text) ?? []
  const factor = unit === undefined ? undefined : UNIT_MS[unit]
  if (factor === undefined) throw new Error(`Not a duration in Grafana's format: "${text}". Write it as 30s, 1h or 7d.`)
  return Number(digits) * factor
}

/** Resolves the range of a dashboard's `time`: `now`, or `now-7d`. */
export function resolveTimeRange(time: { readonly from: string; readonly to: string }, now: Date): TimeRange {
  return { from: resolve(time.from, now), to: resolve(time.to, now) }
}

function resolve(text: string, now: Date): Date {
  if (text === 'now') return now
  if (!text.startsWith('now-')) throw new Error(`Not a relative time: "${text}". Write it like now-7d.`)
  return new Date(now.getTime() - durationMs(text.slice('now-'.length)))
}

/** Returns the width of one point, milliseconds, rounded as Grafana does. */
export function intervalMs(range: TimeRange, maxDataPoints: number, minInterval = '1s'): number {
  const exact = (range.to.getTime() - range.from.getTime()) / maxDataPoints
  const rounded = ROUNDING.find(([below]) => exact < below)?.[1] ?? YEAR_MS
  return Math.max(rounded, durationMs(minInterval))
}
