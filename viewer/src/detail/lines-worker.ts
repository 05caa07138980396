import { linesOf } from '../model/lines.js'

/** Splits large texts into lines without blocking the page. */
addEventListener('message', ({ data }: MessageEvent<{ id: number; text: string }>) => {
  const lines = linesOf(data.text)
  const { starts, values, ends, depths, flags } = lines
  const transfer = [starts, values, ends, depths, flags].map(({ buffer }) => buffer as ArrayBuffer)
  postMessage({ id: data.id, lines }, { transfer })
})
