/** The clock's time, nanoseconds since the Unix epoch. */
export const unixNanoNow = (): bigint => BigInt(Date.now()) * 1_000_000n
