/** What model calls cost, US dollars, by `costKey`. */
export type CallCosts = ReadonlyMap<string, number>

/** A span among those of several traces. */
export const costKey = ({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }): string =>
  `${traceId}/${spanId}`
