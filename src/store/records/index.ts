export { collectSpans, collectTraces } from './read-spans.js'
