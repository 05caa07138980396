export { openApiRoute } from './openapi-route.js'
