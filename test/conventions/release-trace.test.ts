import { beforeAll, describe, expect, test } from 'vitest'
import { explainTrace } from '../../src/mapping/adopt/index.js'
import { decodeRecord } from '../../src/mapping/index.js'
import type { StoredSpan } from '../../src/semconv/index.js'
import { storedSpan } from '../support/stored-spans.js'
import { installSdk } from '../tracing/in-memory-sdk.js'
import { emitReleaseTrace, RECORD } from './release-trace.js'

describe('a trace of the released conventions, written with OpenTelemetry’s API', () => {
  let rows: StoredSpan[]
  beforeAll(() => {
    const sdk = installSdk()
    emitReleaseTrace(sdk.provider)
    rows = sdk.spans().map(storedSpan)
    sdk.uninstall()
  })

  test('is read completely', () => {
    const { text, verdict } = decodeRecord(rows) ?? {}
    expect(verdict).toBe('complete')
    expect(JSON.parse(text ?? '')).toMatchObject(RECORD)
  })

  test('has its skill, its server of tools and its documents under the attributes of their calls', () => {
    const { text = '' } = decodeRecord(rows) ?? {}
    const attributes = [...text.matchAll(/"attributes":\{[^}]*\}/g)].map(([found]) => found)
    const found = (key: string, value: string) => attributes.some((each) => each.includes(`"${key}":"${value}"`))
    expect(found('gen_ai.skill.name', 'routes')).toBe(true)
    expect(found('mcp.method.name', 'tools/call')).toBe(true)
    expect(found('network.transport', 'tcp')).toBe(true)
    expect(found('gen_ai.memory.store.id', 'ms-1')).toBe(true)
    expect(found('gen_ai.data_source.id', 'docs')).toBe(true)
  })

  test('has no attribute that is not read but an unknown one', () => {
    expect(explainTrace(rows).flatMap(({ ignored }) => ignored)).toEqual(['acme.mood'])
  })
})
