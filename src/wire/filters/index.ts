export { describedFilter, PLAN_FILTERS } from './filter-table.js'
export type { FilterKind, PlanFilter, PlanFilterName } from './filter-table.js'
