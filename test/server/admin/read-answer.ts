/** The text of a response; of an endless stream, its first events. */
export async function readAnswer(answer: Response): Promise<string> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) return answer.text()
  const reader = answer.body!.getReader()
  const decoder = new TextDecoder()
  // A plan's own events do not mark the end of the replay.
  const end = /^\/api\/(records\/[^/]+|record)\/events$/.test(new URL(answer.url).pathname) ? /\n\r?\n/ : /event: known/
  let text = ''
  while (!end.test(text)) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
  }
  void reader.cancel()
  return text
}
