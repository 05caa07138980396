export { listRoute } from './list-route.js'
export { setsRoute } from './sets-route.js'
export { sqlRoute } from './sql-route.js'
export { toPlanFilters } from './to-plan-filters.js'
