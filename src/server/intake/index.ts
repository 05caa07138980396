export { listenOtlp } from './otlp-grpc.js'
export { otlpRoute } from './otlp-route.js'
export type { WholeIntake } from './span-intake.js'
