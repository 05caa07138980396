import { usage } from './open-plan.mjs'

const ROW = '.span-row'

/** Opens a trace on Jaeger's own page, in a fresh context: when its first row is there, milliseconds. */
export async function timeJaeger(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await page.addInitScript((row) => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector(row)) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => (globalThis.firstRow = performance.now())))
      }).observe(document, { subtree: true, childList: true })
    }, ROW)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction(() => globalThis.firstRow !== undefined, undefined, { timeout: 300_000 })
    return { 'first row': await page.evaluate(() => globalThis.firstRow), ...(await usage(page)) }
  } finally {
    await context.close()
  }
}
