const SECOND = 1e3
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Formats a duration in its two largest units: `840 ms`, `12.4 s`, `3 m 12 s`, `2 h 5 m`, `3 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < 0 || !Number.isFinite(ms)) return '–'
  if (ms < 1) return ms === 0 ? '0 ms' : `${ms.toFixed(1)} ms`
  if (ms < SECOND - 0.5) return `${ms.toFixed(0)} ms`
  if (ms < MINUTE - 50) return `${(ms / SECOND).toFixed(1)} s`
  const [large, unit, small, rest] =
    ms < HOUR - SECOND / 2
      ? [MINUTE, 'm', SECOND, 's']
      : ms < DAY - MINUTE / 2
        ? [HOUR, 'h', MINUTE, 'm']
        : ([DAY, 'd', HOUR, 'h'] as const)
  const total = Math.round(ms / small) * small
  const whole = Math.floor(total / large)
  const left = Math.round((total - whole * large) / small)
  return left === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${left} ${rest}`
}

/** Formats a count in at most four characters before its unit: `840`, `12.4k`, `1.2M`. */
export function countText(count: number): string {
  if (count < 1000) return String(count)
  if (count < 99_950) return `${(count / 1e3).toFixed(1)}k`
  if (count < 999_500) return `${(count / 1e3).toFixed(0)}k`
  return count < 99_950_000 ? `${(count / 1e6).toFixed(1)}M` : `${(count / 1e6).toFixed(0)}M`
}

/** Formats a count in full: `12,431`. */
export const wholeCount = (count: number): string => count.toLocaleString('en')

/** Formats US dollars, with two significant digits below a dollar: `$12.40`, `$0.10`, `$0.0042`. */
export function costText(usd: number): string {
  if (usd === 0) return '$0'
  if (usd >= 0.01) return `$${usd.toFixed(2)}`
  return usd < 0.0001 ? '<$0.0001' : `$${usd.toFixed(4)}`
}

/** Formats a score from 0 to 1. */
export const riskText = (risk: number): string => risk.toFixed(2)
