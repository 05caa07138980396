// A plan's page as one opens it, in a browser context of its own.
import { setTimeout as delay } from 'node:timers/promises'

/** What is there once all spans of a plan are. */
export const WHOLE = '.facts[aria-busy=false]'

/** What the page tells of its own beginning, gathered before its first script runs. */
function watchBeginning(whole) {
  const seen = { parseMs: 0, parsed: 0 }
  globalThis.beginning = seen
  const parse = JSON.parse
  JSON.parse = (text, ...rest) => {
    const started = performance.now()
    const value = parse(text, ...rest)
    const taken = performance.now() - started
    if (taken > seen.parseMs) Object.assign(seen, { parseMs: taken, parsed: started + taken })
    return value
  }
  new MutationObserver(() => {
    if (seen.inserted === undefined && document.querySelector('[role=treeitem]')) {
      seen.inserted = performance.now()
      requestAnimationFrame(() => setTimeout(() => (seen.firstRow = performance.now())))
    }
    if (seen.selected === undefined && document.querySelector('[role=treeitem][aria-selected=true]'))
      seen.selected = performance.now()
    if (seen.filled === undefined && document.querySelector(whole)) {
      seen.filled = performance.now()
      requestAnimationFrame(() => setTimeout(() => (seen.whole = performance.now())))
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['aria-selected', 'aria-busy'],
  })
}

/** How long a new window of the browser is busy with itself. */
const WINDOW_MS = 1_500

/** Opens a path in a fresh context, once its window stands; the caller closes it. */
export async function openPage(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await delay(WINDOW_MS)
  await page.addInitScript(watchBeginning, WHOLE)
  await page.goto(url, { waitUntil: 'commit' })
  return { page, close: () => context.close() }
}

/** Opens a plan and selects its first span by a key, as soon as there is one: when what happened, milliseconds. */
export async function timePlan(browser, url) {
  const { page, close } = await openPage(browser, url)
  try {
    await page.waitForSelector('[role=treeitem]', { timeout: 120_000 })
    await page.keyboard.press('j')
    await page.waitForSelector('[role=treeitem][aria-selected=true]')
    await page.waitForFunction(
      () => globalThis.beginning.firstRow !== undefined && globalThis.beginning.whole !== undefined,
    )
    const times = await page.evaluate(() => {
      const { parseMs, parsed, filled, whole, firstRow, selected } = globalThis.beginning
      const asked = performance.getEntriesByType('resource').find(({ name }) => name.includes('fields=outline'))
      return {
        'first row': firstRow,
        interactive: selected,
        'all spans': whole,
        'asked at': asked.startTime,
        server: asked.responseStart - asked.startTime,
        transfer: asked.responseEnd - asked.responseStart,
        parse: parseMs,
        model: filled - parsed,
        layout: whole - filled,
      }
    })
    return { ...times, ...(await usage(page)) }
  } finally {
    await close()
  }
}

/** The processor time of a page so far, milliseconds, and what its heap holds after a collection, MB. */
export async function usage(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return {
    'page CPU': metrics.find(({ name }) => name === 'ProcessTime').value * 1000,
    'heap MB': usedSize / 1e6,
  }
}

/** Counts the frames of a page while something goes on: how many, how many took longer than some times, the longest. */
export async function framesDuring(page, task) {
  await page.evaluate(() => {
    const frames = (globalThis.frames_ = [])
    let before = performance.now()
    const next = (now) => {
      frames.push(now - before)
      before = now
      if (globalThis.frames_ === frames) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  await task()
  const frames = await page.evaluate(() => {
    const counted = globalThis.frames_
    globalThis.frames_ = undefined
    return counted
  })
  const longerThan = (ms) => frames.filter((frame) => frame > ms).length
  return { frames: frames.length, over50: longerThan(50), over200: longerThan(200), longest: Math.max(...frames) }
}
