import { afterAll, beforeAll, expect, test } from 'vitest'

import { openApiDocument } from '../../../src/server/openapi-document.js'
import { ROUTES } from '../../../src/wire/index.js'
import { readAnswer } from './read-answer.js'
import { idsOf, NOBODY, secretOf, SHARED, startTwoTenants, type TenantName, type TwoTenants } from './two-tenants.js'

let two: TwoTenants

beforeAll(async () => {
  two = await startTwoTenants()
}, 120_000)
afterAll(() => two[Symbol.asyncDispose]())

/** Values that identify a tenant's data, by parameter name; for `NOBODY` nothing has these ids. */
function valuesOf(tenant: TenantName | typeof NOBODY): Readonly<Record<string, string>> {
  const place = tenant === NOBODY ? { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) } : two.traceOf[tenant]
  return {
    ...idsOf(tenant),
    ...place,
    trace: place.traceId,
    id: idsOf(tenant).planId,
    source: `source-of-${tenant}`,
    set: `source=source-of-${tenant}`,
    workflow: secretOf(tenant),
    text: secretOf(tenant),
    agent: secretOf(tenant),
    conversation: secretOf(tenant),
    view: 'plans',
    name: 'none.js',
  }
}

/** Which of an operation's optional parameters are set. */
interface Question {
  readonly operation: string
  readonly reported: readonly string[]
}

const ESSENTIAL = new Set(['planId', 'text', 'id', 'set'])

/** All requests of an operation: with its path alone, and with each parameter that identifies data. */
function questionsOf(operation: string, known: readonly string[]): Question[] {
  const [method = '', path = ''] = operation.split(' ')
  const about = openApiDocument().paths[path]?.[method.toLowerCase()]
  const body = about?.requestBody as
    | { content: Record<string, { schema?: { properties?: Record<string, unknown> } }> }
    | undefined
  const names = [
    ...(about?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name),
    ...Object.keys(body?.content['application/json']?.schema?.properties ?? {}),
  ].filter((name) => known.includes(name))
  const essential = names.filter((name) => ESSENTIAL.has(name))
  const others = names.filter((name) => !ESSENTIAL.has(name))
  return [essential, ...others.map((name) => [...essential, name])].map((reported) => ({ operation, reported }))
}

/** Requests a tenant's data as somebody. */
async function ask(who: TenantName, { operation, reported }: Question, tenant: TenantName | typeof NOBODY) {
  const values = valuesOf(tenant)
  const [method = '', pattern = ''] = operation.split(' ')
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`This test knows no {${name}}.`)
    return value
  })
  const parameters = reported.map((name) => [name, values[name] ?? ''] as const)
  const isBody = method === 'POST'
  // A comparison needs two ids; the first is the caller's own.
  const query = new URLSearchParams(
    [...(reported.includes('id') ? [['id', SHARED.planId]] : []), ...parameters].map(pair),
  )
  const sql = { sql: `SELECT * FROM plans WHERE PlanId = '${values['planId'] ?? ''}'` }
  const answer = await two.ask(who, isBody || reported.length === 0 ? path : `${path}?${query}`, {
    method: method === 'ALL' ? 'PUT' : method,
    redirect: 'manual',
    // One id, since problems repeat it.
    headers: { 'x-request-id': 'isolation', ...(isBody && { 'content-type': 'application/json' }) },
    ...(isBody && {
      body: JSON.stringify(path === '/api/sql' ? sql : Object.fromEntries(parameters)),
    }),
  })
  const text = await readAnswer(answer)
  return { status: answer.status, type: answer.headers.get('content-type'), text }
}

const pair = ([name = '', value = '']: readonly string[]): [string, string] => [name, value]

/** A response without the requested ids, which it may repeat. */
function withoutIds(answer: Awaited<ReturnType<typeof ask>>, tenant: TenantName | typeof NOBODY) {
  const values = Object.entries(valuesOf(tenant)).sort(([, a], [, b]) => b.length - a.length)
  let { text } = answer
  for (const [name, value] of values) {
    text = text.replaceAll(value, `{${name}}`).replaceAll(encodeURIComponent(value), `{${name}}`)
  }
  // Counts of the tenant's own database change from one request to the next.
  if (answer.type?.includes('text/plain')) text = text.replaceAll(/^([^#\s].*) \S+$/gm, '$1')
  return {
    ...answer,
    text: text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|"(clockDifferenceMs|lagSeconds|pendingRows)":-?\d+/g, '{time}'),
  }
}

const KNOWN = 'planId stepId traceId spanId trace id source set workflow text agent conversation'.split(' ')

test.each(Object.keys(ROUTES))(
  '%s answers alike for another tenant’s data and for unknown data',
  async (operation) => {
    for (const question of questionsOf(operation, KNOWN)) {
      const [foreign, nothing] = await Promise.all([ask('acme', question, 'globex'), ask('acme', question, NOBODY)])
      const { reported } = question
      expect({ reported, ...withoutIds(foreign, 'globex') }).toEqual({ reported, ...withoutIds(nothing, NOBODY) })
      // Parameters that are not requested are not reported either.
      expect(withoutIds(foreign, 'globex').text).not.toContain('globex')
    }
  },
  180_000,
)

test('the owner gets a result from most operations', async () => {
  const answered: string[] = []
  for (const operation of Object.keys(ROUTES)) {
    if (operation.startsWith('DELETE')) continue
    const [question] = questionsOf(operation, KNOWN)
    const { text } = await ask('globex', question!, 'globex')
    if (text.includes(secretOf('globex'))) answered.push(operation)
    expect(text).not.toContain(secretOf('acme'))
  }
  expect(answered.length).toBeGreaterThan(12)
})

test('each tenant has its own copy of a shared id, until it erases that copy', async () => {
  const read = async (who: TenantName) => readAnswer(await two.ask(who, `/api/records/${SHARED.planId}`))
  expect(await read('acme')).toContain(secretOf('acme'))
  expect(await read('globex')).toContain(secretOf('globex'))
  const erased = await two.ask('acme', `/api/records/${SHARED.planId}?running=true`, { method: 'DELETE' })
  expect(erased.status).toBe(204)
  expect(await read('acme')).toContain('not_found')
  expect(await read('globex')).toContain(secretOf('globex'))
})

test('the server’s own database contains nothing of its tenants', async () => {
  const page = (await (await two.ask('own', '/api/records?all=true')).json()) as { records: object[] }
  expect(page.records).toEqual([])
  expect((await two.ask('own', `/api/records/${SHARED.planId}`)).status).toBe(404)
})
