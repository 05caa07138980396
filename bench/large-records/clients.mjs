// Who asks beside each other, a process of its own: node clients.mjs '{"url":…,"seconds":…,"small":{…},"large":
// [{…}],"readers":…}'. Small requests go out at fixed times, whatever the answers do, and their delay counts from then.
// Each reader asks for a large record again as soon as it has the last byte of the one before.
import { setTimeout as delay } from 'node:timers/promises'
import { readFileSync } from 'node:fs'

const { url, seconds, small, large, readers } = JSON.parse(process.argv[2])
const end = performance.now() + seconds * 1000

async function ask({ path, file }, signal) {
  const init = file ? { method: 'POST', body: readFileSync(file) } : {}
  const response = await fetch(url + path, { ...init, signal })
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.length
  if (!response.ok) throw new Error(`${path} answers ${response.status}`)
  return bytes
}

const ending = new AbortController()
const largeTimes = []
let largeBytes = 0

async function reader(number) {
  for (let round = number; performance.now() < end; round++) {
    const started = performance.now()
    largeBytes = await ask(large[round % large.length], ending.signal)
    largeTimes.push(performance.now() - started)
  }
}

const reading = Array.from({ length: readers }, (_, number) =>
  reader(number).catch((error) => {
    if (!ending.signal.aborted) throw error
  }),
)
const times = {}
await Promise.all(
  Object.entries(small).map(async ([kind, { paths, perSecond }]) => {
    const answers = []
    const start = performance.now()
    for (let number = 0; number < seconds * perSecond; number++) {
      const due = start + (number / perSecond) * 1000
      await delay(Math.max(0, due - performance.now()))
      answers.push(ask({ path: paths[number % paths.length] }).then(() => performance.now() - due))
    }
    times[kind] = await Promise.all(answers)
  }),
)
// A build that answers nothing else for long would otherwise be measured for longer than the other.
ending.abort()
await Promise.all(reading)
console.log(JSON.stringify({ times, largeTimes, largeBytes }))
