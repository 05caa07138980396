export { linkRow } from './link-row.js'
export { isBulk } from './stored-row.js'
export { spansWithRow, traceRows, wholeKey } from './trace-rows.js'
