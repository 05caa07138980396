/** 9223372036854775808: from here on a time is beyond 2262-04-11, where DateTime64(9) ends. */
export const TIME_LIMIT = 2n ** 63n

/** Collects what a check learns of one span and says why it is refused, if it is. */
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

  /** A start, an end or an event's time that the store can't hold. */
  blameTime(field: string, limit = 'beyond the year 2262'): void {
    this.blame(`its ${field}, or an event's, is ${limit}`)
  }

  /** A fault that no later field mends. The first one is told. */
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
