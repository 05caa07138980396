export { readCarrier } from './read-carrier.js'
export { writeCarrier } from './write-carrier.js'
