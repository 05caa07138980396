export { parseRows } from './parse-rows.js'
export { readSpans } from './read-spans.js'
