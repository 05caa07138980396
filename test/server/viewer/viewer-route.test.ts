import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'

import { createClient, pagePath } from '../../../src/client/index.js'
import { unreachableApp } from '../test-app.js'

const app = unreachableApp()

/** The files that the page names, relative to its own path. */
async function filesOf(page: string): Promise<string[]> {
  const html = await (await app.request(page)).text()
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(named.filter((path) => !path.startsWith('.'))).toEqual([])
  return named.map((path) => new URL(path, `http://localhost${page}`).pathname)
}

describe('the page', () => {
  test.each(['/', '/plans', '/plans/plan-1', '/plans/a%2Fb?view=waterfall', '/compare?id=a&id=b'])(
    'is served at %s',
    async (path) => {
      const response = await app.request(path)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(response.headers.get('cache-control')).toBe('no-cache')
      const policy = response.headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      expect(await response.text()).not.toMatch(/<style|<script>|style=|\son\w+=|https?:/)
    },
  )

  test('links to Jaeger where its URL is configured, with the URL escaped for an attribute', async () => {
    const named = unreachableApp({ jaegerUrl: 'http://127.0.0.1:16686/"><script>' })
    const html = await (await named.request('/plans/plan-1')).text()
    expect(html).toContain('<meta name="planspan-jaeger" content="http://127.0.0.1:16686/&quot;>&lt;script>" />')
    expect(await (await app.request('/plans')).text()).not.toContain('jaeger')
  })

  test.each(['/', '/plans', '/plans/a%2Fb'])(
    'references, at %s, assets whose names never change their content',
    async (path) => {
      const files = await filesOf(path)
      expect(files).toHaveLength(3)
      for (const path of files) {
        expect(path).toMatch(/^\/assets\/[\w-]+-[\w-]{8}\.(?:js|css|svg)$/)
        const response = await app.request(path)
        expect([response.status, response.headers.get('cache-control')]).toEqual([
          200,
          'public, max-age=31536000, immutable',
        ])
      }
    },
  )

  test('needs less than 100 kB until its first render', async () => {
    const sizes = await Promise.all(
      ['/plans', ...(await filesOf('/plans'))].map(async (path) => {
        const headers = { 'accept-encoding': 'gzip' }
        const response = await app.request(path, { headers })
        expect(response.headers.get('content-encoding')).toBe('gzip')
        return (await response.arrayBuffer()).byteLength
      }),
    )
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(100_000)
  })

  test.each([
    { planId: 'plan-1' },
    { planId: 'Reise nach Köln, 10 % & <mehr>', trace: 'a'.repeat(32), source: "it's" },
    { planId: '..', source: '' },
    { planId: 'a/b' },
  ])('preloads the data that it needs: $planId', async (name) => {
    const asked: string[] = []
    const fetch = (url: string) => {
      asked.push(url)
      return Response.json({ spans: [] })
    }
    const { planId, ...place } = name
    const client = createClient({ endpoint: 'http://localhost', fetch })
    await client.top(planId, place)
    await client.outline(planId, place)
    const page = new URL(pagePath(name, { span: '1' }), 'http://localhost')
    const { headers } = await app.request(page)
    const links = (headers.get('link') ?? '').split(', ')
    const ahead = links.map((link) => /^<(.*)>; rel=preload; as=fetch; crossorigin$/.exec(link)?.[1] ?? '')
    expect(ahead.map((url) => new URL(url, page).href)).toEqual(asked)
  })

  test.each(['/', '/plans', '/plans?workflow=trip', `/plans/${'p'.repeat(2_001)}`])(
    'preloads nothing at %.40s',
    async (path) => {
      expect((await app.request(path)).headers.get('link')).toBeNull()
    },
  )

  test('is sent uncompressed to clients without gzip', async () => {
    const [script = ''] = await filesOf('/plans')
    const plain = await app.request(script)
    const zipped = await app.request(script, { headers: { 'accept-encoding': 'br, gzip' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const bytes = new Uint8Array(await plain.arrayBuffer())
    expect(new Uint8Array(await zipped.arrayBuffer())).toEqual(new Uint8Array(gzipSync(bytes, { level: 9 })))
  })

  test.each(['/assets/none.js', '/assets/..%2Findex.html', '/assets/.made-of', '/plans/a/b'])(
    'is not served at %s',
    async (path) => {
      expect((await app.request(path)).status).toBe(404)
    },
  )
})
