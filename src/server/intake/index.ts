export { listenOtlp } from './otlp-grpc.js'
export { otlpRoute } from './otlp-route.js'
export { UntakenSignals } from './span-intake.js'
export type { WholeIntake } from './span-intake.js'
