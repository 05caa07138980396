/** An interval of time, nanoseconds since the Unix epoch. */
export interface Interval {
  readonly since?: bigint | undefined
  readonly until?: bigint | undefined
}

const LATEST = (2n ** 32n - 1n) * 1_000_000_000n

/** An interval as query parameters, limited to the range of DateTime, which `otel_traces_trace_id_ts` uses. */
export const intervalParams = ({ since = 0n, until = LATEST }: Interval): { since: string; until: string } => ({
  since: String(since > 0n ? since : 0n),
  until: String(until < LATEST ? (until > 0n ? until : 0n) : LATEST),
})
