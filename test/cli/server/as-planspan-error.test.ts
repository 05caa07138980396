import { describe, expect, test } from 'vitest'

import { ClientError, createClient } from '../../../src/client/index.js'
import { EXIT, exitCodeOf } from '../../../src/cli/exit-code.js'
import { asPlanspanError } from '../../../src/cli/server/as-planspan-error.js'
import { PlanspanError } from '../../../src/error.js'
import { listenHttp } from '../../support/http-server.js'

/** The command line's error for a failed request. */
async function reported(asked: Promise<unknown>): Promise<PlanspanError> {
  const error = asPlanspanError(await asked.catch((thrown: unknown) => thrown))
  if (error instanceof PlanspanError) return error
  throw new Error('It is no error of planspan.', { cause: error })
}

const listAt = (endpoint: string): Promise<unknown> => createClient({ endpoint }).list()

describe('a failed request is reported in the command line’s words', () => {
  test('if nothing answers', async () => {
    const { code, message } = await reported(listAt('http://127.0.0.1:2'))
    expect(code).toBe('receiver_unreachable')
    expect(message).toMatch(
      /^No planspan server responds at http:\/\/127\.0\.0\.1:2 \(.+\)\. Start one with `planspan serve`, or name another with --endpoint\.$/,
    )
  })

  test('if another program answers', async () => {
    await using server = await listenHttp((_, response) => response.end('<p>'))
    const { code, message } = await reported(listAt(server.url))
    expect([code, message]).toEqual([
      'receiver_unreachable',
      `The server at ${server.url} is not a planspan server (status 200). Name another with --endpoint.`,
    ])
  })

  test('if the server requires a token', async () => {
    await using server = await listenHttp((_, response) => response.writeHead(401).end('Unauthorized'))
    const { code, message } = await reported(listAt(server.url))
    expect(code).toBe('receiver_unreachable')
    expect(message).toMatch(
      /requires a valid token.*PLANSPAN_TOKEN together with PLANSPAN_ENDPOINT, or put it into the configuration file/,
    )
  })

  test('if nothing answers in time', async () => {
    await using server = await listenHttp(() => {})
    const { code } = await reported(createClient({ endpoint: server.url, timeoutMs: 1 }).list())
    expect(code).toBe('receiver_unreachable')
  })

  test.each([
    [400, 'invalid_record', EXIT.usage],
    [403, 'access_denied', EXIT.unreachable],
    [404, 'not_found', EXIT.different],
    [500, 'internal_error', EXIT.unreachable],
    [503, 'store_busy', EXIT.unreachable],
  ])('if the server answers %i %s', async (status, code, exit) => {
    const body = JSON.stringify({ type: 'about:blank', title: '', status, code, detail: 'This is why.' })
    const type = 'application/problem+json; charset=utf-8'
    await using server = await listenHttp((_, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    )
    const error = await reported(listAt(server.url))
    expect([error.message, exitCodeOf(error)]).toEqual(['This is why.', exit])
  })

  test('and any other error is unchanged', () => {
    const bug = new TypeError('a bug')
    expect(asPlanspanError(bug)).toBe(bug)
    expect(asPlanspanError(new ClientError({ endpoint: '', code: 'bad_headers', detail: 'Bad.' }))).toMatchObject({
      code: 'usage',
      message: 'Bad.',
    })
  })
})
