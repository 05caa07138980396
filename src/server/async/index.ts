export { Disposer } from './disposer.js'
export { InterruptibleDelay } from './interruptible-delay.js'
export { Limiter } from './limiter.js'
export { withTimeout } from './with-timeout.js'
