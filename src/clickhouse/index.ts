export { COLD_VOLUME } from './configuration.js'
export { startClickHouse } from './embedded.js'
export type { EmbeddedClickHouse, EmbeddedClickHouseOptions } from './embedded.js'
export type { EmbeddedClickHouseState } from './supervisor.js'
