/** 2^63 ns: DateTime64(9) ends here, on 2262-04-11. */
export const TIME_LIMIT = 2n ** 63n

/** Collects the findings of a check about one span, and gives the reason if it is refused. */
export class SpanVerdict {
  readonly refuseBefore: bigint | undefined
  private traceId = false
  private spanId = false
  private start = 0n
  private problem: string | undefined

  constructor(refuseBefore: bigint | undefined) {
    this.refuseBefore = refuseBefore
  }

  begin(): void {
    this.traceId = false
    this.spanId = false
    this.start = 0n
    this.problem = undefined
  }

  setTraceId(valid: boolean): void {
    this.traceId = valid
  }

  setSpanId(valid: boolean): void {
    this.spanId = valid
  }

  setStart(nanoseconds: bigint): void {
    this.start = nanoseconds
  }

  /** Records a start, an end or an event's time that the store can't hold. */
  blameTime(field: string, limit = 'beyond the year 2262'): void {
    this.blame(`its ${field}, or an event's, is ${limit}`)
  }

  /** Records a fault that no later field can mend. The first one is reported. */
  blame(problem: string): void {
    this.problem ??= problem
  }

  reason(): string | undefined {
    if (!this.traceId) return 'its trace id is not 16 bytes, or all zero'
    if (!this.spanId) return 'its span id is not 8 bytes, or all zero'
    if (this.problem === undefined && this.refuseBefore !== undefined && this.start < this.refuseBefore) {
      return 'it started before the oldest time that the retention keeps'
    }
    return this.problem
  }
}
