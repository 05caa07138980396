import type { Answer } from './answers.js'
import type { Input } from './inputs.js'

/** The documented responses per protocol: HTTP status codes and gRPC codes. */
const DOCUMENTED = {
  otlp: [200, 400, 413, 415, 503],
  import: [200, 207, 400, 413, 503],
  read: [200, 204, 400, 404, 503],
  grpc: [0, 3, 8, 14],
  jaeger: [0, 3, 14],
} as const

/** The problem with a response; undefined for a documented response. */
export function misbehaviour(input: Input, { code, text, retryAfter }: Answer): string | undefined {
  const kind = input.road === 'http' ? input.route : input.road
  if (!(DOCUMENTED[kind] as readonly number[]).includes(code)) return `answered ${code}: ${text.slice(0, 300)}`
  const isLater = code === 503 || (kind === 'grpc' && code === 14)
  const isProbe = input.road === 'http' && input.path.startsWith('/readyz')
  if (isLater && !retryAfter && !isProbe) return `answered ${code} without when to send it again`
  const isRefusal = code >= 400 || (code !== 0 && code < 100)
  // Lynxe's paths reject like Lynxe, with an empty body.
  const isLynxe = input.road === 'http' && input.path.startsWith('/api/executor/')
  return isRefusal && text === '' && !isLynxe ? `answered ${code} without a reason` : undefined
}

/** Describes an input in words, for the report of an unexpected response. */
export const describeInput = (input: Input): string =>
  input.road === 'http'
    ? `${input.method} ${input.path.slice(0, 200)} ${input.headers['content-type'] ?? ''} (${input.body?.length ?? 0} bytes)`
    : `${input.road} ${input.road === 'jaeger' ? input.method : ''} (${input.body.length} bytes)`
