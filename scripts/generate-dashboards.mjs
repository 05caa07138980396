// Compiles dashboards/ to dashboards/build and writes the dashboards' JSON and the alert rules.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}dashboards`
rmSync(`${folder}/build`, { recursive: true, force: true })
const tsc = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', folder], { stdio: 'inherit' })
if (tsc.status !== 0) process.exit(tsc.status ?? 1)
cpSync(`${folder}/src`, `${folder}/build/src`, { recursive: true, filter: (path) => !path.endsWith('.ts') })

const { generatedFiles } = await import('../dashboards/build/src/generated-files.js')
mkdirSync(`${folder}/json`, { recursive: true })
for (const [path, text] of Object.entries(generatedFiles())) {
  writeFileSync(`${folder}/${path}`, text)
  console.log(`dashboards/${path}`)
}
