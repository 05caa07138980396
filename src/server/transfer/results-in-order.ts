/** Has up to `count` tasks done at once, and gives their results in the order of the tasks. */
export async function* inOrder<T>(
  tasks: AsyncIterable<() => Promise<T>>,
  count: number,
): AsyncGenerator<T, void, undefined> {
  const underWay: Promise<T>[] = []
  for await (const task of tasks) {
    const result = task()
    // It is told when its turn comes, if anybody still listens.
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
