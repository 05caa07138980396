export { isBulk } from './own-row.js'
export { spansWithRow, traceRows, wholeKey } from './trace-rows.js'
