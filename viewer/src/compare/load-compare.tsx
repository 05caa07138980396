import { onDemand } from '../parts/on-demand.js'

/** Plans side by side. */
export const ComparePage = onDemand(async () => (await import('./compare-page.js')).ComparePage)
