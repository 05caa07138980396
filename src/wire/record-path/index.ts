export { recordIdOf, recordSegment } from './record-path.js'
