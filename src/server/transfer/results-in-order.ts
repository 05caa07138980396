/** Runs up to `count` tasks at once, and yields their results in the order of the tasks. */
export async function* inOrder<T>(
  tasks: AsyncIterable<() => Promise<T>>,
  count: number,
): AsyncGenerator<T, void, undefined> {
  const underWay: Promise<T>[] = []
  for await (const task of tasks) {
    const result = task()
    // The rejection is handled when the result is awaited.
    void result.catch(() => {})
    underWay.push(result)
    const [first] = underWay
    if (first && underWay.length >= count) {
      yield await first
      void underWay.shift()
    }
  }
  for (const result of underWay) yield await result
}
