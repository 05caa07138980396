export { FACT_KINDS, type FactKind } from './fact-kinds.js'
export { type LeftOut, factsOf, leftOutOf } from './left-out.js'
