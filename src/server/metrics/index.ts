export { CallMeter } from './call-meter.js'
export { metricsRoute } from './metrics-route.js'
export { RequestMeter } from './request-meter.js'
