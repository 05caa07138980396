import { onDemand } from '../parts/on-demand.js'

/** The graph view, loaded on demand because of its layout code. */
export const GraphView = onDemand(async () => (await import('./graph-view.js')).GraphView)
