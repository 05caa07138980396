export { WHERE_TOKENS_ARE } from './post-with-retry.js'
export { createSpanSender } from './span-sender.js'
export type { SendResult, SpanSender, SpanSenderOptions } from './span-sender.js'
