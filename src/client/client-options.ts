import { ClientError } from './request-error.js'
import type { Parameters } from './query-types.js'

/** The server of a client, and how to reach it. */
export interface ClientOptions {
  /** The server's URL, such as `http://127.0.0.1:4318`, with the path below which a proxy serves it. */
  readonly endpoint: string | URL
  /** Sent to the endpoint only, as `authorization: Bearer …`. */
  readonly token?: string | undefined
  /** Sends the requests: a server's own `app.request`, or a fetch through a proxy. @default the global fetch */
  readonly fetch?: ((url: string, init: RequestInit) => Response | Promise<Response>) | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The time limit for a response, milliseconds; exports and live events have none. @default 120_000 */
  readonly timeoutMs?: number | undefined
}

/**
 * Returns the URL of an endpoint without a trailing slash. Throws a ClientError that does not reveal an invalid one.
 */
export function checkEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  }
  throw new ClientError({
    endpoint: '',
    code: 'bad_endpoint',
    detail: 'The endpoint is invalid. Pass a URL such as http://127.0.0.1:4318, without a user or password.',
  })
}

/** Returns the headers of every request, with names in lower case. */
export function headersOf(headers: Parameters, token: string | undefined): Record<string, string> {
  try {
    const own = new Headers(headers)
    if (token !== undefined) own.set('authorization', `Bearer ${token}`)
    return Object.fromEntries(own)
  } catch {
    // The error is replaced, because it contains the value.
    const detail =
      'The token or a header contains characters that headers must not contain. Look for line breaks in it.'
    throw new ClientError({ endpoint: '', code: 'bad_headers', detail })
  }
}
