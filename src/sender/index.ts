export { createSpanSender } from './span-sender.js'
export type { SendResult, SpanSender, SpanSenderOptions } from './span-sender.js'
