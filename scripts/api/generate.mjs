// Writes the API reference of the packages' entry points to build/api, from their types and docstrings. Fails if an
// export has no docstring.
// npm run docs:api
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** The pages that TypeDoc writes, and the entry points that they describe. */
const ENTRY_POINTS = {
  'client.md': 'planspan/client',
  'records.md': 'planspan/records',
  'sdk.md': '@planspan/sdk',
  'server.md': 'planspan/server',
}
const pages = join(import.meta.dirname, '../../build/api')

rmSync(pages, { recursive: true, force: true })
const typedoc = join(import.meta.dirname, 'node_modules/typedoc/bin/typedoc')
const { status } = spawnSync(process.execPath, [typedoc, '--out', pages, '--logLevel', 'Warn'], {
  cwd: import.meta.dirname,
  stdio: 'inherit',
})
if (status === 0) nameEntryPoints()
else process.exitCode = 1

function nameEntryPoints() {
  for (const [file, name] of Object.entries(ENTRY_POINTS)) {
    const page = join(pages, file)
    writeFileSync(page, readFileSync(page, 'utf8').replace(/^# .*/, `# ${name}`))
  }
  console.log(`The API reference is in ${pages}.`)
}
