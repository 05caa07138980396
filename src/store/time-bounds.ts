// 1900: ClickHouse sends a bound to its shards as text, and can't read one back that is further ago.
export const EARLIEST = -2_208_988_800_000_000_000n
export const LATEST = 2n ** 63n - 1n
