import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

import { findChromium, NO_CHROMIUM } from '../../../scripts/find-chromium.mjs'
import { startServer } from '../../../src/server/index.js'
import type { Span } from '../../../src/semconv/index.js'
import { createSpanSender } from '../../../src/sender/index.js'
import { freshDatabase } from '../../support/clickhouse.js'

const SCREENSHOTS = fileURLToPath(new URL('../../../viewer/screenshots', import.meta.url))

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  /** Whether the colors are those of Windows' high-contrast mode. */
  readonly isForced?: boolean
  readonly isMotionReduced?: boolean
}

/** A real server with its own database, and a browser to view it. */
export interface Viewer {
  readonly url: string
  send(spans: readonly Span[]): Promise<void>
  /**
   * Opens a path or a URL of the page for the current test, and closes it after the test, since an open page keeps
   * sending requests. Errors of the page, and requests that the browser blocks, fail `close`.
   */
  open(path: string, options?: PageOptions): Promise<Page>
  /** Saves a screenshot to viewer/screenshots. */
  look(page: Page, name: string): Promise<void>
  stopServer(): Promise<void>
  startServerAgain(): Promise<void>
  close(): Promise<void>
}

export interface ViewerOptions {
  /** The server's token file, and one of its tokens to send spans with. */
  readonly tokensFile: string
  readonly senderToken: string
  /** Other origins whose pages may send requests to the server. */
  readonly corsOrigins: readonly string[]
}

export async function startViewer({
  tokensFile,
  senderToken,
  corsOrigins = [],
}: Partial<ViewerOptions> = {}): Promise<Viewer> {
  const { url: clickhouse, database, drop } = await freshDatabase()
  const options = { clickhouse, database, corsOrigins, ...(tokensFile === undefined ? {} : { tokensFile }) }
  let server = await startServer({ port: 0, ...options })
  const { url } = server
  const browser = await launch()
  const complaints: string[] = []
  return {
    url,
    async send(spans) {
      const { rejected, reasons } = await createSpanSender({
        url: `${url}/v1/traces`,
        ...(senderToken === undefined ? {} : { headers: { authorization: `Bearer ${senderToken}` } }),
      }).send(spans)
      if (rejected > 0) throw new Error(reasons.join(' '))
    },
    async open(path, { width = 1440, height = 900, dark = false, isForced = false, isMotionReduced = true } = {}) {
      const page = await browser.newPage({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        forcedColors: isForced ? 'active' : 'none',
        reducedMotion: isMotionReduced ? 'reduce' : 'no-preference',
        timezoneId: 'UTC',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      onTestFinished(() => page.close())
      page.on('pageerror', (error) => complaints.push(`${path}: ${error.stack ?? error.message}`))
      page.on('console', (message) => {
        if (/Content.Security.Policy|Trusted/i.test(message.text())) complaints.push(`${path}: ${message.text()}`)
      })
      await page.goto(new URL(path, url).href)
      return page
    },
    async look(page, name) {
      mkdirSync(SCREENSHOTS, { recursive: true })
      await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` })
    },
    stopServer: () => server.close(),
    async startServerAgain() {
      server = await startServer({ port: Number(new URL(url).port), ...options })
    },
    async close() {
      await browser.close()
      await server.close()
      await drop()
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    },
  }
}

function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(NO_CHROMIUM)
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--font-render-hinting=none'] })
}
