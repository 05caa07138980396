import { findFile } from './find-files.js'
import { FollowedFile } from './followed-file.js'
import { Outage, pause } from './pause.js'
import { type FollowContext, type FollowedSource, SourceAway } from './source.js'
import { eventStream, KeptEvents, type EventStreamOptions } from './read-events.js'

/** The polling interval of an idle session, milliseconds. */
const IDLE_MS = 30_000

/** Reads an event stream repeatedly, keeps the events in a file, and imports the file as one record. */
export class FollowEvents implements FollowedSource {
  readonly #options: EventStreamOptions
  readonly #context: FollowContext
  readonly #kept: KeptEvents
  readonly #file: FollowedFile
  #isReading = false
  #isOver = false
  /** The error that ended the reading. */
  #failure: unknown

  private constructor(options: EventStreamOptions, context: FollowContext, kept: KeptEvents, file: FollowedFile) {
    this.#options = options
    this.#context = context
    this.#kept = kept
    this.#file = file
  }

  static async open(options: EventStreamOptions, context: FollowContext): Promise<FollowEvents> {
    const { path, state } = context.stateFile
    const kept = await KeptEvents.open(`${path}.events.sse`)
    const [known] = state.files
    const file = new FollowedFile(known ?? (await findFile(kept.path)))
    return new FollowEvents(options, context, kept, file)
  }

  async look(): Promise<boolean> {
    if (this.#context.once) await this.#readOnce()
    else if (!this.#isReading) this.#start()
    // The events that were read before this are in the file by now.
    const isOver = this.#isOver
    if (this.#failure !== undefined) throw this.#failure
    await this.#import(isOver || this.#context.once)
    return isOver
  }

  #start(): void {
    this.#isReading = true
    this.#readOn().catch((error: unknown) => {
      this.#failure = error
    })
  }

  async #import(isLast: boolean): Promise<void> {
    const { importer, encodeOptions, report, stateFile } = this.#context
    const { kind: _, ...found } = await findFile(this.#kept.path)
    await this.#file.look(found, {
      importer,
      encodeOptions,
      isLast,
      remark: (message) => report.remark(message),
      refuse: (error, _path, line) => report.refuse({ from: this.#options.url, line, message: error.message }),
    })
    stateFile.state.files = [this.#file.position]
  }

  /** Reads until the stream ends or is silent for the polling interval. */
  async #readOnce(): Promise<void> {
    const { signal, interval } = this.#context
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), interval)
    try {
      const events = eventStream(this.#options, this.#kept.lastId, AbortSignal.any([signal, silence.signal]))
      for await (const frame of events) {
        clearTimeout(timer)
        await this.#kept.keep(frame)
        timer = setTimeout(() => silence.abort(), interval)
      }
    } catch (error) {
      if (!silence.signal.aborted && !signal.aborted) throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Reads until the server reports that the stream is complete. */
  async #readOn(): Promise<void> {
    const { signal, report, interval } = this.#context
    const outage = new Outage('source', report)
    let idle = interval
    while (!signal.aborted) {
      try {
        const events = eventStream(this.#options, this.#kept.lastId, signal)
        for (;;) {
          const { value, done } = await events.next()
          outage.over()
          if (done && value) this.#isOver = true
          if (done) break
          await this.#kept.keep(value)
          idle = interval
        }
        if (this.#isOver) return
        await pause(idle, signal)
        idle = Math.min(idle * 2, Math.max(interval, IDLE_MS))
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof SourceAway)) throw error
        await outage.wait(error.message, signal)
      }
    }
  }
}
