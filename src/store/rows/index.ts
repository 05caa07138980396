export { parseRows } from './parse-rows.js'
export { byTrace, collectSpans, readSpans } from './read-spans.js'
