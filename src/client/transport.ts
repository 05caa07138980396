import { parametersOf, type Parameters } from './query-types.js'
import { brokenOff, ClientError, notPlanspan, unreachable, type ServerProblem } from './request-error.js'

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
function checkEndpoint(endpoint: string): string {
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
function headersOf(headers: Parameters, token: string | undefined): Record<string, string> {
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

/** The options of any request. */
export interface RequestOptions {
  /** Ends the request, which then fails with the signal's reason; iterations of live events just end. */
  readonly signal?: AbortSignal | undefined
}

export interface Asked extends RequestOptions {
  readonly query?: object | undefined
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: NonNullable<RequestInit['body']>
  readonly headers?: Parameters
  /** Whether the response has no time limit. */
  readonly untimed?: boolean
}

/** Sends requests to one endpoint. Throws a ClientError unless the response is the expected one. */
export interface Transport {
  readonly endpoint: string
  /** Returns any response. */
  ask(path: string, asked?: Asked): Promise<Response>
  /** Returns a successful response. */
  get(path: string, asked?: Asked): Promise<Response>
  /** Returns the JSON of a successful response, an object with this key. */
  json<T>(path: string, key: keyof T & string, asked?: Asked): Promise<T>
}

export function createTransport({ endpoint: given, token, fetch, headers = {}, timeoutMs }: ClientOptions): Transport {
  const endpoint = checkEndpoint(String(given))
  const send = fetch ?? ((url, init) => globalThis.fetch(url, init))
  // Within a machine, compression takes more time than it saves.
  const isNear = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(endpoint).hostname)
  const own = { ...(isNear && { 'accept-encoding': 'identity' }), ...headersOf(headers, token) }

  const ask: Transport['ask'] = async (path, { query = {}, signal, untimed, headers, ...init } = {}) => {
    const search = new URLSearchParams(parametersOf(query)).toString()
    const timeout = untimed ? undefined : AbortSignal.timeout(timeoutMs ?? 120_000)
    const signals = [signal, timeout].filter((one) => one !== undefined)
    try {
      const response = await send(`${endpoint}${path}${search === '' ? '' : `?${search}`}`, {
        ...init,
        headers: { ...own, ...headers },
        // Headers and bodies are meant for this endpoint only.
        redirect: 'manual',
        signal: signals.length === 0 ? null : AbortSignal.any(signals),
      })
      if (isRedirect(response)) throw redirected(endpoint, response)
      return response
    } catch (error) {
      if (error instanceof ClientError || signal?.aborted) throw error
      throw isLate(error) ? late(endpoint, error) : unreachable(endpoint, error)
    }
  }
  const get: Transport['get'] = async (path, asked) => {
    const response = await ask(path, asked)
    // 304 is a valid response to a conditional request.
    if (response.ok || response.status === NOT_MODIFIED) return response
    throw await refusal(endpoint, response)
  }
  return {
    endpoint,
    ask,
    get,
    async json<T>(path: string, key: keyof T & string, asked?: Asked) {
      return jsonOf<T>(endpoint, await get(path, asked), { key, asked })
    },
  }
}

export const NOT_MODIFIED = 304

/** Parses the JSON of a response, an object with this key. */
export async function jsonOf<T>(
  endpoint: string,
  response: Response,
  { key, asked }: { key: keyof T & string; asked?: Asked | undefined },
): Promise<T> {
  const text = await bodyOf(endpoint, () => response.text(), asked)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && key in value) return value as T
  } catch {
    // Reported below.
  }
  throw notPlanspan(endpoint, response.status)
}

/** Reads the body of a response. */
export async function bodyOf<T>(endpoint: string, read: () => Promise<T>, asked: RequestOptions = {}): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (asked.signal?.aborted) throw error
    throw isLate(error) ? late(endpoint, error) : brokenOff(endpoint, 'The answer', error)
  }
}

const isLate = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

function late(endpoint: string, cause: unknown): ClientError {
  const detail = `${endpoint} did not respond in time. Try again, or request less.`
  return new ClientError({ endpoint, code: 'timeout', detail, cause })
}

const isRedirect = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== NOT_MODIFIED)

function redirected(endpoint: string, { status, headers }: Response): ClientError {
  const location = headers.get('location')
  const to = location !== null && URL.canParse(location, endpoint) ? new URL(location, endpoint).origin : 'elsewhere'
  const detail = `${endpoint} redirects to ${to}, to which the client sends nothing. Name the right endpoint.`
  return new ClientError({ endpoint, code: 'redirected', status: status || undefined, detail })
}

async function refusal(endpoint: string, response: Response): Promise<ClientError> {
  const { status } = response
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) {
    await response.body?.cancel()
    return notPlanspan(endpoint, status)
  }
  const problem = await jsonOf<ServerProblem>(endpoint, response, { key: 'detail' })
  const { code, detail } = problem
  return new ClientError({ endpoint, status, code, detail, problem })
}
