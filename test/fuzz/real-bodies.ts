import { readdirSync, readFileSync } from 'node:fs'

import { makeRecords, requestOf } from '../collector/load.js'
import { encodeRequest, type RequestJson } from '../otlp/encode-request.js'
import { FOREIGN_TRACES, otlpText } from '../support/foreign-traces.js'

const FIXTURES = new URL('../fixtures/', import.meta.url)

/** Requests as exporters send them, in both encodings. */
export interface RealRequest {
  readonly json: Buffer
  readonly protobuf: Buffer
  readonly traceIds: readonly string[]
}

const traceIdsOf = (text: string): string[] => [
  ...new Set([...text.matchAll(/"traceId":\s*"([\da-f]{32})"/g)].map(([, id = '']) => id)),
]

const foreign = FOREIGN_TRACES.map(({ file }): RealRequest => {
  const text = otlpText(file)
  const protobuf = Buffer.from(encodeRequest(JSON.parse(text) as RequestJson))
  return { json: Buffer.from(text), protobuf, traceIds: traceIdsOf(text) }
})

const own = makeRecords('fuzz', 3).map(({ spans, traceId }): RealRequest => {
  const protobuf = Buffer.from(requestOf(spans))
  return { json: protobuf, protobuf, traceIds: [traceId] }
})

export const REAL_REQUESTS: readonly RealRequest[] = [...foreign, ...own]

/** Files of records as the systems write them. */
export const REAL_FILES: readonly Buffer[] = ['lynxe', 'plan-act', 'review-log', 'seeds', 'trajectory'].flatMap(
  (folder) =>
    readdirSync(new URL(folder, FIXTURES), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
      .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`)),
)
