import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** src/ compiled as in the package, for plain Node processes. */
export interface CompiledSource {
  /** The URL of clickhouse/index.js. */
  readonly clickhouse: string
  remove(): void
}

/** Compiles src/ into a temporary directory from which node_modules resolve. */
export function compileSource(): CompiledSource {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'planspan-test-'))
  const options = ['--outDir', outDir, '--noCheck', '--declaration', 'false', '--sourceMap', 'false']
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', root, ...options], { encoding: 'utf8' })
  if (stdout !== '') throw new Error(stdout)
  for (const file of ['prepare.sql', 'serve.sql']) {
    copyFileSync(join(root, 'src', 'clickhouse', file), join(outDir, 'clickhouse', file))
  }
  return {
    clickhouse: pathToFileURL(join(outDir, 'clickhouse', 'index.js')).href,
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  }
}

/** A Node process that runs an embedded ClickHouse. */
export interface Parent {
  readonly pid: number
  /** Its ClickHouse process. */
  readonly clickhouse: { readonly pid: number; readonly url: string }
}

// On Ctrl-C it runs a last query, like a server that flushes.
const script = `
  const [source, dataDirectory] = process.argv.slice(1)
  const { startClickHouse } = await import(source)
  const { pid, url } = await startClickHouse({ dataDirectory })
  process.once('SIGINT', async () => {
    const { origin, username, password } = new URL(url)
    const headers = { authorization: 'Basic ' + btoa(username + ':' + password) }
    const response = await fetch(origin + '/?query=SELECT+42', { headers })
    console.log(JSON.stringify(await response.text()))
  })
  console.log(JSON.stringify({ pid, url }))
`

/** Starts such a process as the leader of its group; resolves when its ClickHouse is ready. */
export async function startParent(
  source: CompiledSource,
  dataDirectory: string,
): Promise<Parent & { nextLine(): Promise<unknown> }> {
  const arguments_ = ['--input-type=module', '--eval', script, source.clickhouse, dataDirectory]
  const child = spawn(process.execPath, arguments_, { cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const nextLine = async () => {
    const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(20_000) })) as [string]
    return JSON.parse(line) as unknown
  }
  const clickhouse = (await nextLine()) as Parent['clickhouse']
  return { pid: child.pid ?? 0, clickhouse, nextLine }
}
