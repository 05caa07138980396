export { readSpans } from './read-spans.js'
