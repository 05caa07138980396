// The recall of redaction by source, and its precision on lines without secrets.
// npm run build && node bench/redaction/recall.mjs CORPUS.jsonl… [--lines LINES.txt]
// A line of a corpus is {"source", "kind", "text", "secrets": […]}; the corpora are extracted from checkouts of
// scanners' test data, which this repository does not contain. LINES.txt contains a harmless line per line.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { createRedactor } from '../../dist/redaction/index.js'
import { table } from '../figures.mjs'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { lines: { type: 'string' } } })
const linesOf = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean)
const redactor = createRedactor()
const sources = new Map()
const seen = new Set()

for (const { source, kind, text, secrets } of positionals.flatMap(linesOf).map((line) => JSON.parse(line))) {
  const masked = redactor.text(text)
  for (const secret of (secrets ?? []).filter((one) => one !== '' && text.includes(one))) {
    const id = `${secret}\n${text}`
    if (seen.has(id)) continue
    seen.add(id)
    const figures = sources.get(source) ?? { kinds: new Set(), secrets: 0, found: 0 }
    sources.set(source, figures)
    figures.kinds.add(kind)
    figures.secrets++
    if (!masked.includes(secret)) figures.found++
  }
}
const rows = [...sources].map(([source, { kinds, secrets, found }]) => [
  source,
  kinds.size,
  secrets,
  (found / secrets).toFixed(4),
])
console.log(table(['source', 'kinds', 'secrets', 'recall'], rows))
if (values.lines) {
  const lines = linesOf(values.lines)
  const touched = lines.filter((line) => redactor.text(line) !== line)
  console.log(
    `${lines.length} harmless lines, ${touched.length} changed: ${(1 - touched.length / lines.length).toFixed(4)}`,
  )
}
