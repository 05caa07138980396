export { readCarrier } from './read-carrier.js'
export { subjectOf } from './subject.js'
export { writeCarrier } from './write-carrier.js'
