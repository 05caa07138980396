import { onDemand } from '../parts/on-demand.js'

/** The comparison page, loaded on demand. */
export const ComparePage = onDemand(async () => (await import('./compare-page.js')).ComparePage)
