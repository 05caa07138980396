// How long `planspan serve` takes over the data, from its spawn until its line and until its first answers.
import { quantile, table } from '../figures.mjs'
import { plansOf } from './plans-of.mjs'

export async function measureStart(builds, rounds) {
  const [first] = builds
  const [{ PlanId: id }] = await plansOf(first, 1)
  const paths = ['/healthz', `/api/records/${id}`, '/api/records']
  const rows = []
  for (const build of builds) {
    const times = []
    for (let round = 0; round < rounds; round++) {
      await build.stop()
      const started = performance.now()
      await build.start()
      const answers = []
      for (const path of paths) {
        const response = await fetch(build.url + path)
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`${build.name} answers ${response.status} to ${path}`)
        answers.push(performance.now() - started)
      }
      times.push([build.server.readyMs, ...answers])
    }
    rows.push([
      build.name,
      ...[0, 1, 2, 3].map((at) =>
        quantile(
          times.map((each) => each[at]),
          0.5,
        ).toFixed(0),
      ),
    ])
  }
  const head = [
    'median of ' + rounds + ' starts, ms since the spawn',
    'ready',
    '/healthz',
    'then a record',
    'then the list',
  ]
  return table(head, rows)
}
