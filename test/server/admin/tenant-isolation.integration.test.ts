import { afterAll, beforeAll, expect, test } from 'vitest'

import { openApiDocument } from '../../../src/server/openapi/document.js'
import { ROUTES } from '../../../src/wire/index.js'
import { readAnswer } from './read-answer.js'
import { idsOf, NOBODY, secretOf, SHARED, startTwoTenants, type TenantName, type TwoTenants } from './two-tenants.js'

let two: TwoTenants

beforeAll(async () => {
  two = await startTwoTenants()
}, 120_000)
afterAll(() => two[Symbol.asyncDispose]())

/** What names something of a tenant, by the names of parameters; of nobody where nothing has these ids. */
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

/** Which of an operation's parameters are told, of those that may be. */
interface Question {
  readonly operation: string
  readonly told: readonly string[]
}

const ESSENTIAL = new Set(['planId', 'text', 'id', 'set'])

/** All that is asked by an operation: by its path alone, and with each parameter that names something. */
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
  return [essential, ...others.map((name) => [...essential, name])].map((told) => ({ operation, told }))
}

/** Asks as somebody for what is a tenant's. */
async function ask(who: TenantName, { operation, told }: Question, tenant: TenantName | typeof NOBODY) {
  const values = valuesOf(tenant)
  const [method = '', pattern = ''] = operation.split(' ')
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`This test knows no {${name}}.`)
    return value
  })
  const parameters = told.map((name) => [name, values[name] ?? ''] as const)
  const isBody = method === 'POST'
  // Two are compared, the first of which is one's own.
  const query = new URLSearchParams([...(told.includes('id') ? [['id', SHARED.planId]] : []), ...parameters].map(pair))
  const sql = { sql: `SELECT * FROM plans WHERE PlanId = '${values['planId'] ?? ''}'` }
  const answer = await two.ask(who, isBody || told.length === 0 ? path : `${path}?${query}`, {
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

/** An answer without what was asked for, which it may repeat. */
function withoutIds(answer: Awaited<ReturnType<typeof ask>>, tenant: TenantName | typeof NOBODY) {
  const values = Object.entries(valuesOf(tenant)).sort(([, a], [, b]) => b.length - a.length)
  let { text } = answer
  for (const [name, value] of values) {
    text = text.replaceAll(value, `{${name}}`).replaceAll(encodeURIComponent(value), `{${name}}`)
  }
  // What is counted in the tenant's own database changes from one question to the next.
  if (answer.type?.includes('text/plain')) text = text.replaceAll(/^([^#\s].*) \S+$/gm, '$1')
  return {
    ...answer,
    text: text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|"(clockDifferenceMs|lagSeconds|pendingRows)":-?\d+/g, '{time}'),
  }
}

const KNOWN = 'planId stepId traceId spanId trace id source set workflow text agent conversation'.split(' ')

test.each(Object.keys(ROUTES))(
  '%s answers for what another tenant has as for what nobody has',
  async (operation) => {
    for (const question of questionsOf(operation, KNOWN)) {
      const [foreign, nothing] = await Promise.all([ask('acme', question, 'globex'), ask('acme', question, NOBODY)])
      const { told } = question
      expect({ told, ...withoutIds(foreign, 'globex') }).toEqual({ told, ...withoutIds(nothing, NOBODY) })
      // What is not asked for is not told either.
      expect(withoutIds(foreign, 'globex').text).not.toContain('globex')
    }
  },
  180_000,
)

test('who has it is answered, by most operations', async () => {
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

test('what both have, each has of its own, until it is erased', async () => {
  const read = async (who: TenantName) => readAnswer(await two.ask(who, `/api/records/${SHARED.planId}`))
  expect(await read('acme')).toContain(secretOf('acme'))
  expect(await read('globex')).toContain(secretOf('globex'))
  const erased = await two.ask('acme', `/api/records/${SHARED.planId}?running=true`, { method: 'DELETE' })
  expect(erased.status).toBe(204)
  expect(await read('acme')).toContain('not_found')
  expect(await read('globex')).toContain(secretOf('globex'))
})

test('the server’s own database has nothing of its tenants', async () => {
  const page = (await (await two.ask('own', '/api/records?all=true')).json()) as { records: object[] }
  expect(page.records).toEqual([])
  expect((await two.ask('own', `/api/records/${SHARED.planId}`)).status).toBe(404)
})
