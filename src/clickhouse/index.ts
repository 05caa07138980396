export { startClickHouse } from './embedded.js'
export type { EmbeddedClickHouse, EmbeddedClickHouseOptions } from './embedded.js'
export type { EmbeddedClickHouseState } from './supervisor.js'
