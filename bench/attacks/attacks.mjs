// What is done to the server, and what it should answer. Bodies are made before the clock runs.
import {
  agentsRecord,
  batch,
  bomb,
  emptyAttributes,
  emptyRecords,
  emptyResourcesJson,
  emptySpans,
  emptySpansJson,
  nestedPlans,
  nestedRecord,
  nestedValue,
  packed,
  smallSpans,
} from './bodies.mjs'
import { callGrpc, get, post, silent } from './send.mjs'
import { planExecution } from '../large-records/records.mjs'

const JSON_TYPE = 'application/json'
const many = (count, one) => Promise.all(Array.from({ length: count }, one))

/** Requests that are sent again and again until the time is over. */
const spans = (expected, make, { type, pack = packed, encoding = 'gzip' } = {}) => ({
  expected,
  make: () => pack(make()),
  send: ({ url }, body) => post(url, '/v1/traces', body, { type, encoding }),
})
const asIs = (body) => body
const imported = (expected, make, query = '') => ({
  expected,
  make: () => packed(make()),
  send: ({ url }, body) => post(url, `/api/records${query}`, body, { type: JSON_TYPE, encoding: 'gzip' }),
})
/** What is stored once and then read again and again. */
const read = (expected, path, store) => ({
  expected,
  prepare: store,
  make: () => undefined,
  send: ({ url }) => get(url, path),
})

/** Connections that last until they are ended. */
const silence = (count, options = {}) => ({
  expected: '408',
  isOnce: true,
  make: () => undefined,
  send: async ({ url, signal }) => (await many(count, () => silent(url, { ...options, signal }))).join(' '),
})

const store = async (server, path, body, type) => {
  const status = await post(server.url, path, packed(body), { type, encoding: 'gzip' })
  if (status !== '200') throw new Error(`${path} answers ${status}`)
}

export const attacks = {
  nothing: { expected: '', isOnce: true, make: () => undefined, send: ({ over }) => over.then(() => '') },
  '8 connections, a byte of 64 MiB each': silence(8),
  '200 connections, a byte of 64 MiB each': silence(200),
  '8 connections, a byte a second': silence(8, { everyMs: 1_000 }),
  // There is room for half as many of one client; a slow one makes room for those that come.
  '8 connections, 64 MiB but for the last byte': {
    ...silence(8, { sent: Buffer.alloc((64 << 20) - 1, ' ') }),
    expected: '408, 503',
  },
  '200 gRPC calls, a byte of 64 MiB each': {
    expected: '4',
    isOnce: true,
    make: () => undefined,
    send: async ({ grpcUrl }) =>
      (await many(200, () => callGrpc(grpcUrl, Buffer.of(10), { length: (64 << 20) - 1 }))).join(' '),
  },
  '4 million empty spans': spans('413', () => emptySpans(4_000_000)),
  '31 million empty spans': spans('413', () => emptySpans(31_000_000)),
  '4 million empty spans over gRPC': {
    expected: '8',
    make: () => packed(emptySpans(4_000_000)),
    send: ({ grpcUrl }, body) => callGrpc(grpcUrl, body, { packed: true }),
  },
  '131,072 empty spans, as many as are taken': spans('200', () => emptySpans(131_072)),
  '60,000 empty spans, not packed': spans('200', () => emptySpans(60_000), { pack: asIs, encoding: 'identity' }),
  'ten million `{}` as spans': spans('413', () => emptySpansJson(10_000_000), { type: JSON_TYPE }),
  'ten million `{}` as resources': spans('413', () => emptyResourcesJson(10_000_000), { type: JSON_TYPE }),
  '31 million empty attributes': spans('413', () => emptyAttributes(31_000_000)),
  'a million empty attributes': spans('200', () => emptyAttributes(1_000_000)),
  // As many as may wait for ClickHouse are sent at once.
  '131,072 smallest spans': spans('200, 503', () => smallSpans(131_072)),
  'a value 5,000 lists deep': spans('413', () => nestedValue(5_000), { type: JSON_TYPE }),
  'gzip of 1 GiB': spans('413', () => bomb(1 << 30), { pack: asIs }),
  'gzip of 1 GiB over gRPC': {
    expected: '8',
    make: () => bomb(1 << 30),
    send: ({ grpcUrl }, body) => callGrpc(grpcUrl, body, { packed: true }),
  },
  'import: a record of 40,000 agents': imported('200', () => agentsRecord('agents', 40_000)),
  'read: a record of 40,000 agents': read('200', '/api/records/agents-read', (server) =>
    store(server, '/api/records', agentsRecord('agents-read', 40_000), JSON_TYPE),
  ),
  'import: a record of 20 million agents': imported('413', () => agentsRecord('more-agents', 20_000_000)),
  'import: a plan of 20,000 nested sub-plans': imported('400', () => nestedRecord('nested', 20_000)),
  'read: a live plan of 20,000 nested sub-plans': read('200', '/api/records/deep', (server) =>
    store(server, '/v1/traces', nestedPlans('deep', 20_000)),
  ),
  'import: ten million `{}`': imported('400', () => emptyRecords(10_000_000)),
  'import: ten million `{}`, all looked at': imported('413', () => emptyRecords(10_000_000), '?keepGoing=true'),
  'honest: 2,048 spans of 100 attributes': spans('200', () => batch(2_048, 100)),
  'honest: a plan of 30,000 spans': spans('200', () => batch(30_000, 12)),
  'honest: an import of 41 MB': imported('200', () =>
    Buffer.from(JSON.stringify(planExecution('honest', { size: 30_000_000 }))),
  ),
}
