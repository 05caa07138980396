export { checkRoute } from './check-route.js'
export { exportRoute, viewsRoute } from './export-route.js'
export { importRoute } from './import-route.js'
