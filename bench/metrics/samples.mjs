/** The samples that a server tells, by name and labels. */
export async function samplesOf(url) {
  const answer = await fetch(`${url}/metrics`)
  if (!answer.ok) throw new Error(`/metrics answers ${answer.status}`)
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at))]
    }),
  )
}

/** The sum of a metric over its labels, or over those that have some. */
export const sumOf = (samples, name, label = '') =>
  [...samples].reduce(
    (sum, [key, value]) => ((key === name || key.startsWith(`${name}{`)) && key.includes(label) ? sum + value : sum),
    0,
  )
