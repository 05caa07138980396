const MOST = 1_000
const LONGEST = 100

/** The same test of keys, which remembers its answers: few keys come again and again. */
export function remembered(test: (key: string) => boolean): (key: string) => boolean {
  const answers = new Map<string, boolean>()
  return (key) => {
    let answer = answers.get(key)
    if (answer !== undefined) return answer
    answer = test(key)
    if (answers.size >= MOST) answers.clear()
    if (key.length <= LONGEST) answers.set(key, answer)
    return answer
  }
}
