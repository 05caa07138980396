import { fileURLToPath } from 'node:url'

import { defineConfig, type Plugin } from 'vite'

import { DIALECT_NAMES, framingOf } from '../dist/mapping/index.js'
import { ATTR } from '../dist/semconv/index.js'

/** How the files of each dialect are framed, in the order of the dialects; null for one JSON document. */
const framings = Object.fromEntries(DIALECT_NAMES.map((name) => [name, framingOf(name) ?? null]))

/** The names that planspan's tables define, without the tables. */
const names: Plugin = {
  name: 'planspan-names',
  resolveId: (id) => (id === 'virtual:planspan-names' ? id : undefined),
  load: (id) =>
    id === 'virtual:planspan-names'
      ? `export const ATTR = ${JSON.stringify(ATTR)}; export const FRAMINGS = ${JSON.stringify(framings)}`
      : undefined,
}

const built = (layer: string): string => fileURLToPath(new URL(`../dist/${layer}/index.js`, import.meta.url))

// The server sends assets/ to be kept for good: each name has a digest of what is in the file.
export default defineConfig({
  plugins: [names],
  // The page may be served below any path.
  base: './',
  resolve: {
    alias: {
      'planspan/client': built('client'),
      'planspan/filters': built('wire/filters'),
      'planspan/record-path': built('wire/record-path'),
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { proxy: { '/api': process.env['PLANSPAN_URL'] ?? 'http://127.0.0.1:4318' } },
  worker: { format: 'es' },
  build: {
    outDir: 'build',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
  },
})
