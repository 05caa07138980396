import { linesOf } from '../model/lines.js'

/** Makes lines of large texts, so that the page goes on meanwhile. */
addEventListener('message', ({ data }: MessageEvent<{ id: number; text: string }>) => {
  const lines = linesOf(data.text)
  const { starts, values, ends, depths, flags } = lines
  const transfer = [starts, values, ends, depths, flags].map(({ buffer }) => buffer as ArrayBuffer)
  postMessage({ id: data.id, lines }, { transfer })
})
