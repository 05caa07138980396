import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

import { chromium } from 'playwright-core'
import sharp from 'sharp'

import { findChromium, NO_CHROMIUM } from '../../scripts/find-chromium.mjs'

/** Saves each page as docs/images/dashboard-<name>.png, as wide and high as its content. */
export async function takeScreenshots(pages, names, directory) {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(NO_CHROMIUM)
  mkdirSync(directory, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--font-render-hinting=none'] })
  try {
    for (const name of names) {
      const tab = await browser.newPage({ viewport: { width: 1600, height: 3000 } })
      const failed = new Promise((_, reject) => tab.on('pageerror', reject))
      await tab.goto(pathToFileURL(`${pages}/${name}.html`).href)
      await Promise.race([tab.locator('main[data-drawn]').waitFor(), failed])
      const path = `${directory}/dashboard-${name}.png`
      const picture = await tab.locator('main').screenshot()
      writeFileSync(path, await sharp(picture).png({ palette: true, effort: 10 }).toBuffer())
      console.log(`${path} ${Math.round(statSync(path).size / 1000)} kB`)
      await tab.close()
    }
  } finally {
    await browser.close()
  }
}
