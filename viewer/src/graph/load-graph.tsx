import { onDemand } from '../parts/on-demand.js'

/** Who calls whom in a plan; its layout is most of the code that is loaded with it. */
export const GraphView = onDemand(async () => (await import('./graph-view.js')).GraphView)
