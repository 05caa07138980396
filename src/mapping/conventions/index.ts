export { conventionType, PROPOSED } from './convention-type.js'
export { REGISTRY } from './registry.js'
export type { ConventionSpan, ConventionType } from './registry-types.js'
