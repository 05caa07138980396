import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startClickHouse } from '../../../src/clickhouse/index.js'
import { createTenant, type RunningServer, startServer } from '../../../src/server/index.js'
import { testTokens, type TestTokens } from '../../support/token-file.js'

export const TENANTS = ['acme', 'globex'] as const
export type TenantName = (typeof TENANTS)[number]
/** As long as the tenants' names, but not a tenant. */
export const NOBODY = 'nobody'

const RECORD = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')

/** A text that occurs in all of a tenant's stored data, and nowhere else. */
export const secretOf = (tenant: string): string => `secret-of-${tenant}`

/** The ids of a tenant's own plan, in a form that also yields ids that nobody has. */
export const idsOf = (tenant: string) => ({ planId: `plan-of-${tenant}`, stepId: `step-of-${tenant}` })
/** The ids of a plan that each tenant has. */
export const SHARED = { planId: 'plan-of-all', stepId: 'step-of-all' }

/** A record of a tenant. */
export const recordOf = (tenant: string, { planId, stepId }: typeof SHARED): string =>
  RECORD.replaceAll('plan-1767061562002', planId)
    .replaceAll('step-a', stepId)
    .replaceAll('"Form"', JSON.stringify(secretOf(tenant)))
    .replaceAll('fill the form', secretOf(tenant))

/** A server with two tenants and their stored data. */
export interface TwoTenants extends AsyncDisposable {
  readonly server: RunningServer
  readonly tokens: TestTokens
  readonly dataDirectory: string
  /** Each tenant's token, which has all scopes, and `own` for the server's own database. */
  readonly tokenOf: Readonly<Record<TenantName | 'own', string>>
  /** The trace id and a span id of each tenant's own plan. */
  readonly traceOf: Readonly<Record<TenantName, { traceId: string; spanId: string }>>
  ask(who: TenantName | 'own', path: string, init?: RequestInit): Promise<Response>
}

export async function startTwoTenants(): Promise<TwoTenants> {
  const tokens = testTokens()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'planspan-tenants-'))
  // A single start for both.
  const clickhouse = await startClickHouse({ dataDirectory })
  for (const tenant of TENANTS) await createTenant({ dataDirectory }, tenant)
  await clickhouse.stop()
  const tokenOf = {
    acme: await tokens.make('of-acme', { database: 'acme' }),
    globex: await tokens.make('of-globex', { database: 'globex' }),
    own: await tokens.make('operator'),
  }
  const server = await startServer({
    port: 0,
    grpcPort: 0,
    jaegerPort: 0,
    dataDirectory,
    tokensFile: tokens.path,
  })
  const ask: TwoTenants['ask'] = (who, path, init = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${tokenOf[who]}` },
    })
  const store = async (tenant: TenantName) => {
    let traceId = ''
    for (const ids of [SHARED, idsOf(tenant)]) {
      const body = recordOf(tenant, ids)
      const answer = await ask(tenant, `/api/records?source=source-of-${tenant}`, { method: 'POST', body })
      if (answer.status !== 200) throw new Error(await answer.text())
      traceId = ((await answer.json()) as { records: { traceId: string }[] }).records[0]!.traceId
    }
    const list = await (await ask(tenant, `/api/records/${idsOf(tenant).planId}/spans`)).json()
    return { traceId, spanId: (list as { spans: { spanId: string }[] }).spans[0]!.spanId }
  }
  const traceOf = { acme: await store('acme'), globex: await store('globex') }
  return {
    server,
    tokens,
    dataDirectory,
    tokenOf,
    traceOf,
    ask,
    async [Symbol.asyncDispose]() {
      await server.close()
      tokens[Symbol.dispose]()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
