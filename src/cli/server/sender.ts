import { createSpanSender, type SpanSender, type SpanSenderOptions } from '../../sender/index.js'
import type { Server } from './resolve-server.js'

/** Creates a sender of spans to a server. */
export function senderTo(
  { endpoint, token, headers }: Server,
  options: Omit<SpanSenderOptions, 'url' | 'headers'> = {},
): SpanSender {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return createSpanSender({
    ...options,
    url: `${endpoint}/v1/traces`,
    headers: { ...Object.fromEntries(lowerCase), ...authorization },
  })
}
