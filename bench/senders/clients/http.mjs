// As fetch.mjs, with node:http and one kept socket, as OpenTelemetry's exporter for Node.js has it.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'

const [url, directory] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const headers = { 'content-type': 'application/x-protobuf' }
for (const name of readdirSync(directory).sort()) {
  const body = readFileSync(join(directory, name))
  const start = performance.now()
  const outgoing = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } })
  outgoing.end(body)
  const [answer] = await once(outgoing, 'response')
  await once(answer.resume(), 'end')
  console.log(performance.now() - start)
  if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}`)
}
agent.destroy()
