import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { Tenant } from '../../../src/server/open-tenant.js'
import { Tenants } from '../../../src/server/admin/tenants.js'

const opened: string[] = []
const closed: string[] = []
const inUse = new Set<string>()
const named: string[] = []
let opens: (database: string) => Promise<void>
let tenants: Tenants

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  opened.length = 0
  closed.length = 0
  inUse.clear()
  named.splice(0, named.length, 'otel', 'acme', 'globex')
  opens = async () => {}
  tenants = new Tenants({
    own: 'otel',
    gate: { databases: named, isUsing: (database) => inUse.has(database) },
    async open(database) {
      opened.push(database)
      await opens(database)
      return { close: async () => void closed.push(database) } as Tenant
    },
  })
})
afterEach(async () => {
  await tenants.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const of = (database: string | undefined) =>
  tenants.of({ name: 'a', scopes: ['read'], ...(database !== undefined && { database }) })

test('the server’s own database is not a tenant, even if a token names it', async () => {
  expect([await of(undefined), await of('otel'), await tenants.of(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(opened).toEqual([])
})

test('a tenant is opened once, however many requests arrive at once', async () => {
  const all = await Promise.all([of('acme'), of('acme'), of('acme')])
  expect(new Set(all).size).toBe(1)
  expect(opened).toEqual(['acme'])
})

test('a tenant that fails to open delays no other tenant, is logged once, and is retried', async () => {
  opens = (database) => (database === 'acme' ? Promise.reject(new Error('It is gone.')) : Promise.resolve())
  await tenants.openAll()
  expect(opened).toEqual(['acme', 'globex'])
  await expect(of('acme')).rejects.toThrow('It is gone.')
  expect(vi.mocked(process.emitWarning).mock.calls.map(([text]) => text)).toEqual([
    'The tenant acme cannot be served. It is gone.',
  ])
  opens = async () => {}
  await of('acme')
  expect(opened).toEqual(['acme', 'globex', 'acme', 'acme'])
})

test('an idle tenant is closed, but not during a request, and reopened on the next use', async () => {
  await of('acme')
  await of('globex')
  inUse.add('globex')
  await vi.advanceTimersByTimeAsync(12 * 60_000)
  expect(closed).toEqual(['acme'])
  inUse.clear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(closed).toEqual(['acme', 'globex'])
  await of('acme')
  expect(opened).toEqual(['acme', 'globex', 'acme'])
})

test('a tenant without tokens is closed soon, so that nothing works in a database that is being dropped', async () => {
  await of('acme')
  await of('globex')
  inUse.add('acme')
  named.splice(named.indexOf('acme'), 1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(closed).toEqual(['acme'])
})

test('a stopping server closes all tenants and opens no more', async () => {
  await of('acme')
  await tenants.close()
  expect(closed).toEqual(['acme'])
  await expect(of('globex')).rejects.toMatchObject({ code: 'store_unreachable' })
})
