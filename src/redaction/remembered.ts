const MOST = 1_000
const LONGEST = 100

/** The same function of texts, which remembers its answers: few keys come again and again. */
export function remembered<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>()
  return (text) => {
    if (text.length > LONGEST) return answer(text)
    const known = answers.get(text)
    if (known !== undefined || answers.has(text)) return known as Answer
    if (answers.size >= MOST) answers.clear()
    const found = answer(text)
    answers.set(text, found)
    return found
  }
}
