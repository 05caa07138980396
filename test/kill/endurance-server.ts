import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { lockHolders } from '../../src/clickhouse/file-lock.js'
import { startServe, type Serving } from '../cli/run-cli.js'

export const VICTIMS = ['serve', 'clickhouse', 'both'] as const
export type Victim = (typeof VICTIMS)[number]

const POLL_MS = 10
/** The retry interval and timeout of a supervisor, in milliseconds. */
const RETRY_MS = 250
const PATIENCE_MS = 60_000

/** A `planspan serve` that keeps its directory and ports, however often it is killed. */
export class EnduranceServer {
  readonly #data: string
  #serving: Serving

  private constructor(data: string, serving: Serving) {
    this.#data = data
    this.#serving = serving
  }

  static async start(data: string): Promise<EnduranceServer> {
    return new EnduranceServer(data, await startServe(['--data', data, '--grpc-port', '0']))
  }

  get line(): Serving['line'] {
    return this.#serving.line
  }

  get clickhouseUrl(): string {
    return this.#serving.clickhouse.url
  }

  /** Kills with -9 and, like a supervisor, restarts serve; resolves to the time until it is ready, in ms. */
  async kill(victim: Victim): Promise<number> {
    const clickhouse = this.#clickhousePid()
    const begun = performance.now()
    if (victim !== 'clickhouse') this.#serving.child.kill('SIGKILL')
    if (victim !== 'serve' && clickhouse !== undefined) process.kill(clickhouse, 'SIGKILL')
    if (victim !== 'clickhouse') await this.#startAgain()
    while (this.#clickhousePid() === clickhouse || !(await this.#isReady())) await setTimeout(POLL_MS)
    return performance.now() - begun
  }

  async stop(): Promise<void> {
    await this.#serving.end('SIGTERM')
  }

  /** A backup without a server locks the directory until the tables are frozen; serve fails meanwhile. */
  async #startAgain(): Promise<void> {
    const { url, grpcUrl } = this.line
    const ports = ['--port', new URL(url).port, '--grpc-port', new URL(grpcUrl ?? '').port]
    const givenUp = performance.now() + PATIENCE_MS
    for (;;) {
      try {
        this.#serving = await startServe(['--data', this.#data, ...ports])
        return
      } catch (error) {
        if (performance.now() > givenUp) throw error
        await setTimeout(RETRY_MS)
      }
    }
  }

  #clickhousePid(): number | undefined {
    return lockHolders(join(this.#data, 'lock')).find(({ isEngine }) => isEngine)?.pid
  }

  async #isReady(): Promise<boolean> {
    return fetch(`${this.line.url}/readyz`).then(({ ok }) => ok, () => false) // prettier-ignore
  }
}
