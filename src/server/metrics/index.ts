export { metricsRoute } from './metrics-route.js'
export { RequestMeter } from './request-meter.js'
