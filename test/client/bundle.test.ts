import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'

import { listenHttp } from '../support/http-server.js'

const [, SAID_KILOBYTES] = /It is less than (\d+) kB/.exec(readFileSync('docs/client.md', 'utf8')) ?? []

let code: string
let imports: string[]

beforeAll(async () => {
  const bundle = await rolldown({ input: 'src/client/index.ts', platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', name: 'planspan', minify: true })
  await bundle.close()
  code = output[0].code
  imports = [...output[0].imports, ...output[0].dynamicImports, ...output.slice(1).map(({ fileName }) => fileName)]
})

describe('the client', () => {
  test('is as small as docs/client.md states', () => {
    expect(SAID_KILOBYTES).toBe('6')
    expect(gzipSync(code).length).toBeLessThan(Number(SAID_KILOBYTES) * 1000)
  })

  test('needs only browser APIs', async () => {
    expect(imports).toEqual([])
    await using server = await listenHttp((request, response) =>
      request.url?.startsWith('/api/records/p/spans/events')
        ? response
            .writeHead(request.headers['last-event-id'] === '1' ? 204 : 200, { 'content-type': 'text/event-stream' })
            .end(request.headers['last-event-id'] === '1' ? undefined : 'id: 1\nevent: known\ndata: {}\n\n')
        : response.end('{"records":[{"planId":"p"}],"nextCursor":null}'),
    )
    const web = {
      AbortController,
      AbortSignal,
      btoa,
      clearTimeout,
      fetch,
      Headers,
      setTimeout,
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
    }
    const read = `(async () => {
      const client = planspan.createClient({ endpoint: ${JSON.stringify(server.url)} })
      const reported = []
      for await (const { planId } of client.plans()) reported.push(planId)
      for await (const { kind } of client.spanChanges('p')) reported.push(kind)
      const { code } = await client.record('p').catch((error) => error)
      return [...reported, code].join(' ')
    })()`
    expect(await runInNewContext(`${code}\n${read}`, web)).toBe('p known not_planspan')
  })
})
