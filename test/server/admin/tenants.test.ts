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

test('the server’s own database is no tenant, whether a token names it or not', async () => {
  expect([await of(undefined), await of('otel'), await tenants.of(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(opened).toEqual([])
})

test('a tenant is opened once, however many ask at once', async () => {
  const all = await Promise.all([of('acme'), of('acme'), of('acme')])
  expect(new Set(all).size).toBe(1)
  expect(opened).toEqual(['acme'])
})

test('one that does not open does not hold up others, is told of once, and is tried again', async () => {
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

test('one that is not used is closed, but not while somebody is answered, and opened when it is used again', async () => {
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

test('one whose tokens are gone is closed soon, so that nothing is at work in a database that is dropped', async () => {
  await of('acme')
  await of('globex')
  inUse.add('acme')
  named.splice(named.indexOf('acme'), 1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(closed).toEqual(['acme'])
})

test('a server that stops closes all and opens no more', async () => {
  await of('acme')
  await tenants.close()
  expect(closed).toEqual(['acme'])
  await expect(of('globex')).rejects.toMatchObject({ code: 'store_unreachable' })
})
