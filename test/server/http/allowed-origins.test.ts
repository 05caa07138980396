import { describe, expect, it, onTestFinished } from 'vitest'

import { AllowedOrigins } from '../../../src/server/http/allowed-origins.js'
import { createApp } from '../../../src/server/index.js'
import { listen } from '../../../src/server/http/listen.js'
import { ROUTES } from '../../../src/wire/index.js'
import type { Store } from '../../../src/store/index.js'

const PAGE = 'https://app.example.com'

async function serving(origins?: readonly string[]): Promise<string> {
  const writer = { check: () => {}, write: () => Promise.reject(new Error('unreachable')) }
  const { port, close } = await listen(createApp({ store: {} as Store, writer }).fetch, {
    host: '127.0.0.1',
    port: 0,
    origins: origins && new AllowedOrigins(origins),
  })
  onTestFinished(() => close(AbortSignal.abort()))
  return `http://127.0.0.1:${port}`
}

/** The CORS headers of a response, without their common prefix. */
const cors = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].flatMap(([name, value]) =>
      name.startsWith('access-control-') ? [[name.slice('access-control-'.length), value]] : [],
    ),
  )

const ask = (origin: string, method: string, headers = 'content-type,traceparent') => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
})

describe('a page of an allowed origin', () => {
  it('may send any request, before it shows a token', async () => {
    const url = await serving(['https://other.example', PAGE])
    for (const route of Object.keys(ROUTES)) {
      const [method = '', path = ''] = route.replace('ALL', 'POST').split(' ')
      const response = await fetch(`${url}${path}`, ask(PAGE, method))
      expect([path, response.status]).toEqual([path, 204])
      expect(cors(response)).toEqual({
        'allow-origin': PAGE,
        'allow-methods': 'GET, POST, DELETE',
        'allow-headers': 'content-type,traceparent',
        'max-age': '7200',
      })
      expect(response.headers.get('vary')).toBe('Origin, Access-Control-Request-Headers')
    }
  })

  it('may read responses and the headers that clients need, also of failures', async () => {
    const url = await serving([PAGE])
    for (const path of ['/healthz', '/nothing']) {
      const response = await fetch(`${url}${path}`, { headers: { origin: PAGE } })
      expect(cors(response)).toEqual({
        'allow-origin': PAGE,
        'expose-headers': expect.stringMatching(/planspan-verdict.*etag, retry-after, www-authenticate, x-request-id/),
      })
      expect(response.headers.get('vary')).toBe('Origin')
    }
  })

  it('may change stored data, which other origins may not', async () => {
    const url = await serving([PAGE])
    const post = async (origin: string) =>
      (await fetch(`${url}/api/records`, { method: 'POST', body: '{', headers: { origin } })).status
    expect(await post(PAGE)).toBe(400)
    expect(await post('https://evil.example')).toBe(403)
  })
})

describe('no other page', () => {
  it.each([
    ['of another origin', [PAGE], 'https://evil.example'],
    ['of the same host without TLS', [PAGE], 'http://app.example.com'],
    ['of another port', [PAGE], `${PAGE}:8443`],
    ['of a name that begins alike', [PAGE], `${PAGE}.evil.example`],
    ['without an origin', [PAGE], 'null'],
    ['where no origin is named', undefined, PAGE],
  ])('%s gets any access', async (_, origins, origin) => {
    const url = await serving(origins)
    expect(cors(await fetch(`${url}/healthz`, { headers: { origin } }))).toEqual({})
    const asked = await fetch(`${url}/v1/traces`, ask(origin, 'POST'))
    expect(asked.ok).toBe(false)
    expect(cors(asked)).toEqual({})
  })

  it('gets a cached response that was meant for another origin', async () => {
    const url = await serving([PAGE])
    expect((await fetch(`${url}/healthz`)).headers.get('vary')).toBe('Origin')
  })
})

it.each(['*', 'null', 'app.example.com', `${PAGE}/`, `${PAGE}/page`, 'https://*.example.com', 'file://', ''])(
  'rejects %j as an origin',
  (given) => {
    expect(() => new AllowedOrigins([given])).toThrow(/--cors-origin takes the origin of a page/)
  },
)
