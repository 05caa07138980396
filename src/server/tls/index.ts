export { Certificate, shownHost } from './certificate.js'
export type { TlsFiles } from './read-pair.js'
