import { appendFile, mkdir, readFile, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'

import { FrameReader, type Frame } from './frame-reader.js'

/** The events of a stream that were read so far, in a file, because a stream does not repeat them. */
export class KeptEvents {
  readonly path: string
  readonly #ids = new Set<string>()
  #lastId: string | undefined

  private constructor(path: string) {
    this.path = path
  }

  /** Reads the events that were kept before. An incomplete event at the end, left by a killed process, is cut off. */
  static async open(path: string): Promise<KeptEvents> {
    await mkdir(dirname(path), { recursive: true })
    await appendFile(path, '', { mode: 0o600 })
    const bytes = await readFile(path)
    const end = bytes.lastIndexOf('\r\n\r\n')
    const whole = bytes.subarray(0, end === -1 ? 0 : end + 4)
    if (whole.length < bytes.length) await truncate(path, whole.length)
    const kept = new KeptEvents(path)
    for (const frame of new FrameReader().push(whole.toString())) kept.#know(frame)
    return kept
  }

  /** The id of the last event with an id. */
  get lastId(): string | undefined {
    return this.#lastId
  }

  /** Keeps an event, unless it is kept already. */
  async keep(frame: Frame): Promise<void> {
    if (frame.id !== undefined && this.#ids.has(frame.id)) return
    await appendFile(this.path, frame.text)
    this.#know(frame)
  }

  #know({ id }: Frame): void {
    if (id === undefined) return
    this.#ids.add(id)
    this.#lastId = id
  }
}
