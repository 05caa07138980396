// How attackers send: HTTP, gRPC, and connections that go silent. Each answers what it was answered, in short.
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'

/** Sends a request over HTTP; `encoding` says how its body is packed. */
export async function post(url, path, body, { type = 'application/x-protobuf', encoding } = {}) {
  const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return String(response.status)
}

export async function get(url, path) {
  const response = await fetch(url + path)
  for await (const _ of response.body) void _
  return String(response.status)
}

/** Sends a message over gRPC; `length` is what its head says of it. */
export async function callGrpc(url, message, { packed = false, length = message.length } = {}) {
  const session = connectHttp2(url)
  session.on('error', () => {})
  try {
    const call = session.request({
      ':method': 'POST',
      ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      'content-type': 'application/grpc',
      'grpc-encoding': packed ? 'gzip' : 'identity',
      te: 'trailers',
    })
    call.on('error', () => {})
    const head = Buffer.alloc(5)
    head.writeUInt8(packed ? 1 : 0)
    head.writeUInt32BE(length, 1)
    call.write(Buffer.concat([head, message]))
    if (length === message.length) call.end()
    let trailers = {}
    call.once('trailers', (received) => (trailers = received))
    const [headers] = await once(call, 'response')
    call.resume()
    if (headers['grpc-status'] === undefined && !call.closed) await once(call, 'close')
    return String(headers['grpc-status'] ?? trailers['grpc-status'])
  } finally {
    session.destroy()
  }
}

/** Says that 64 MiB come, sends some bytes of them, then one every `everyMs` or none, until it is answered. */
export async function silent(url, { sent = Buffer.from('{'), everyMs, signal }) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const end = () => socket.destroy()
  signal.addEventListener('abort', end, { once: true })
  const head = 'POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  socket.write(`${head}Content-Length: ${64 << 20}\r\n\r\n`)
  socket.write(sent)
  const timer = everyMs && setInterval(() => socket.write('x'), everyMs)
  let text = ''
  try {
    for await (const chunk of socket) text += chunk
  } catch {
    // What was answered until then counts.
  }
  clearInterval(timer)
  return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'open'
}
