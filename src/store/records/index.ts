export { byTrace, collectSpans } from './read-spans.js'
