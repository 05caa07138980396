export { bearerToken, SESSION_COOKIE, principalOf } from './request-credentials.js'
export { guard } from './guard.js'
export { refuseForeignHosts, refuseForeignOrigins, refuseInvalidHosts } from './host-guards.js'
export { sessionRoute } from './session-route.js'
