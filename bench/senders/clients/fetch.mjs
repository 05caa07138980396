// Posts each file of a directory in turn with Node's fetch, which is undici: node fetch.mjs URL DIRECTORY. Prints the
// milliseconds of each.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [url, directory] = process.argv.slice(2)
const headers = { 'content-type': 'application/x-protobuf' }
for (const name of readdirSync(directory).sort()) {
  const body = readFileSync(join(directory, name))
  const start = performance.now()
  const answer = await fetch(url, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  console.log(performance.now() - start)
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
}
