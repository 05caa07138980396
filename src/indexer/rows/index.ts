export { isBulk } from './own-row.js'
export { spansWithRow, traceRows } from './trace-rows.js'
