export { openStore } from './open-store.js'
export type { OpenStore, OpenStoreOptions } from './open-store.js'
