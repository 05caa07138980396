import { existsSync } from 'node:fs'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell', '/usr/bin/google-chrome']

/** The path of Chromium: CHROMIUM, else an installed one; undefined if it is missing. */
export const findChromium = () => process.env['CHROMIUM'] ?? PATHS.find((path) => existsSync(path))

export const NO_CHROMIUM = 'No Chromium found: install the package chromium, or set CHROMIUM to its path.'
