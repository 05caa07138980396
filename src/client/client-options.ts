import { ClientError } from './request-error.js'
import type { Parameters } from './query-types.js'

/** How a client reaches its server. */
export interface ClientOptions {
  /** The server's URL, such as `http://127.0.0.1:4318`, with the path below which a proxy serves it. */
  readonly endpoint: string | URL
  /** Sent to the endpoint, and to nothing else, as `authorization: Bearer …`. */
  readonly token?: string | undefined
  /** What makes requests: a server's own `app.request`, or one through a proxy. @default the global fetch */
  readonly fetch?: ((url: string, init: RequestInit) => Response | Promise<Response>) | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How long an answer may take, milliseconds; exports and live events take as long as they do. @default 120_000 */
  readonly timeoutMs?: number | undefined
}

/** The URL of an endpoint without a slash at the end. Throws a ClientError that tells nothing of one that is none. */
export function checkEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  }
  throw new ClientError({
    endpoint: '',
    code: 'bad_endpoint',
    detail: 'The endpoint is none. Give a URL such as http://127.0.0.1:4318, without a user or password.',
  })
}

/** The headers of every request, by their names in lower case. */
export function headersOf(headers: Parameters, token: string | undefined): Record<string, string> {
  try {
    const own = new Headers(headers)
    if (token !== undefined) own.set('authorization', `Bearer ${token}`)
    return Object.fromEntries(own)
  } catch {
    // What is thrown tells the value.
    const detail = 'The token or a header has characters that no header can have. Look for line breaks in it.'
    throw new ClientError({ endpoint: '', code: 'bad_headers', detail })
  }
}
