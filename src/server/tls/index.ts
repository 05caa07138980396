export { Certificate } from './certificate.js'
export type { TlsFiles } from './read-pair.js'
export { shownHost } from './shown-host.js'
