import type { IncomingMessage, ServerResponse } from 'node:http'

import { PlanspanError } from '../../error.js'
import { RECORD_HEADERS } from '../../semconv/index.js'
import { REQUEST_ID } from '../telemetry/index.js'

/** The lifetime of a preflight response, seconds; the maximum of Chromium. */
const ASKED_SECONDS = 7_200
const METHODS = 'GET, POST, DELETE'
/** The response headers that a page may read in addition to the default ones. */
const EXPOSED = [...Object.values(RECORD_HEADERS), 'etag', 'retry-after', 'www-authenticate', REQUEST_ID].join(', ')

/** Other origins whose pages have access. */
export class AllowedOrigins {
  readonly #origins: ReadonlySet<string>

  /** Throws `usage` for an invalid origin. `*` is invalid, because any visited page could read every record. */
  constructor(origins: readonly string[]) {
    for (const origin of origins) {
      if (isOrigin(origin)) continue
      throw new PlanspanError(
        'usage',
        `--cors-origin takes the origin of a page, such as https://app.example.com, not ${JSON.stringify(origin)}.`,
      )
    }
    this.#origins = new Set(origins)
  }

  /**
   * Lets pages of these origins read the response, but without the credentials of a signed-in user. Answers preflight
   * requests itself, and returns whether it did.
   */
  answer({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = headers
    response.setHeader('vary', 'Origin')
    if (origin === undefined || !this.#origins.has(origin)) return false
    response.setHeader(ALLOWED, origin)
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      response.setHeader('access-control-expose-headers', EXPOSED)
      return false
    }
    response.setHeader('vary', 'Origin, Access-Control-Request-Headers')
    // Exporters send custom headers. Pages that may send a token may send these as well.
    const asked = headers['access-control-request-headers']
    if (asked !== undefined) response.setHeader('access-control-allow-headers', asked)
    response.setHeader('access-control-allow-methods', METHODS)
    response.setHeader('access-control-max-age', ASKED_SECONDS)
    response.writeHead(204).end()
    return true
  }
}

const ALLOWED = 'access-control-allow-origin'

/** Whether a request comes from a page of an allowed origin. */
export const isAllowed = (origin: string | undefined, response: ServerResponse | undefined): boolean =>
  origin !== undefined && response?.getHeader(ALLOWED) === origin

const isOrigin = (text: string): boolean =>
  !text.includes('*') && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text
