export { exportRoute } from './export-route.js'
export { importRoute } from './import-route.js'
export { viewsRoute } from './views-route.js'
