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
