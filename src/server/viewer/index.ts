export { viewerRoute } from './viewer-route.js'
