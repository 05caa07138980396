// Calls a function as a platform does, prints its result, and gives its process no time after that.
import { writeSync } from 'node:fs'
import process from 'node:process'

const city = 'Rome'
const platforms = {
  async lambda() {
    const { handler } = await import('./lambda.mjs')
    return JSON.stringify(await handler({ city }))
  },
  async vercel() {
    const waited = []
    globalThis[Symbol.for('@vercel/request-context')] = { get: () => ({ waitUntil: (work) => waited.push(work) }) }
    const { POST } = await import('./vercel.mjs')
    const request = new Request('http://127.0.0.1/api/plan', { method: 'POST', body: JSON.stringify({ city }) })
    const response = await POST(request)
    await Promise.all(waited)
    return response.text()
  },
}
writeSync(1, await platforms[process.argv[2]]())
process.kill(process.pid, 'SIGKILL')
