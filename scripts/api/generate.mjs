// Writes docs/api from the types and docstrings of the package's entry points; with --check it says whether it is so.
// npm run docs:api [-- --check]
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** The pages that TypeDoc makes, and what one imports. */
const MODULES = {
  'client.md': 'planspan/client',
  'records.md': 'planspan/records',
  'sdk.md': '@planspan/sdk',
  'server.md': 'planspan/server',
}
const pages = join(import.meta.dirname, '../../docs/api')
const made = mkdtempSync(join(tmpdir(), 'planspan-api-'))

try {
  process.exitCode = process.argv.includes('--check') ? check(generate()) : write(generate())
} finally {
  rmSync(made, { recursive: true, force: true })
}

/** @returns {Map<string, string>} The pages' texts by the names of their files. */
function generate() {
  const typedoc = join(import.meta.dirname, 'node_modules/typedoc/bin/typedoc')
  const args = [typedoc, '--out', made, '--logLevel', 'Warn']
  const { status } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, stdio: 'inherit' })
  if (status !== 0) throw new Error(`TypeDoc ended with ${status}`)
  return new Map(
    Object.entries(MODULES).map(([file, name]) => [file, pageOf(readFileSync(join(made, file), 'utf8'), name)]),
  )
}

/** @param {string} text @param {string} name */
function pageOf(text, name) {
  const head = `# ${name}\n\nGenerated from the types; [the other entry points](../README.md#api-reference).`
  return text
    .replace(/^# .*/, head)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n*$/, '\n')
}

/** @param {Map<string, string>} texts */
function write(texts) {
  rmSync(pages, { recursive: true, force: true })
  mkdirSync(pages)
  for (const [file, text] of texts) writeFileSync(join(pages, file), text)
  return 0
}

/** @param {Map<string, string>} texts */
function check(texts) {
  const others = readdirSync(pages).filter((file) => !texts.has(file))
  const old = [...texts]
    .filter(([file, text]) => readFileSync(join(pages, file), 'utf8') !== text)
    .map(([file]) => file)
  for (const file of [...old, ...others]) console.error(`docs/api/${file} is out of date: npm run docs:api`)
  return old.length + others.length === 0 ? 0 : 1
}
