import { afterEach, beforeEach, expect, it } from 'vitest'

import { ATTR } from '../../../src/semconv/index.js'
import { execute } from '../../support/clickhouse.js'
import { PlanLife } from '../../support/plan-life.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertStoredSpans } from '../spans.js'

let { store, fresh, index, close } = {} as FreshStore

beforeEach(async () => {
  ;({ store, fresh, index, close } = await freshStore())
})

afterEach(() => close())

it.each([
  ['the text of a status beside error.type', {}, 'boom'],
  ['an explicit message before the text of the status', { [ATTR.errorMessage]: 'explicit' }, 'explicit'],
])('views show %s', async (_, attributes, message) => {
  const life = new PlanLife({ traceId: 'a'.repeat(32), planId: 'plan-1' })
  life.start('plan', 'plan')
  life.start('agent', 'agent', 'plan', { [ATTR.stepIndex]: 0 })
  life.start('cycle', 'think_act', 'agent')
  life.start('tool', 'tool', 'cycle')
  const failed = { [ATTR.errorType]: 'TimeoutError', ...attributes }
  for (const name of ['tool', 'cycle', 'agent', 'plan']) life.end(name, failed, 'ERROR')
  const rows = life.stored.map((row) => ({ ...row, statusMessage: row.statusCode === 'ERROR' ? 'boom' : 'fine' }))
  await insertStoredSpans(store.client, fresh.database, rows)
  await index()
  for (const view of ['plans', 'agents', 'think_acts', 'tool_calls', 'steps']) {
    const said = await execute(fresh.url, `SELECT ErrorMessage FROM ${fresh.database}.${view} FORMAT TSVRaw`)
    expect({ view, said: said.trim() }).toEqual({ view, said: message })
  }
})
