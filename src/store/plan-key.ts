/** What tells a plan of a trace from all others, as one text. */
export const planKey = ({ planId, traceId }: { readonly planId: string; readonly traceId: string }): string =>
  `${traceId} ${planId}`
