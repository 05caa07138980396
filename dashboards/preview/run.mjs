// Runs the queries of all dashboards and writes a page per dashboard that renders them with Grafana's components:
// dashboards/preview/pages/<name>.html. Without --clickhouse, starts a ClickHouse with generated plans.
//   npm run dashboards:preview -- [--clickhouse http://user:password@host:port] [--database otel] [--plans 700]
//                                 [--images docs/images]
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { openPreviewStore } from './open-store.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const preview = `${root}dashboards/preview`
const { values: options } = parseArgs({
  options: {
    clickhouse: { type: 'string' },
    database: { type: 'string', default: 'otel' },
    plans: { type: 'string', default: '700' },
    images: { type: 'string' },
  },
})

run(process.execPath, [`${root}scripts/generate-dashboards.mjs`], root)
if (!existsSync(`${preview}/node_modules`)) run('npm', ['ci', '--no-audit', '--no-fund'], preview)
run('npm', ['run', 'build'], preview)

const { DASHBOARDS } = await import('../build/src/index.js')
const { runDashboard } = await import('../build/query/run-dashboard.js')
const { resolveTimeRange } = await import('../build/query/time-range.js')

const store = await openPreviewStore(options)
const pages = `${preview}/pages`
mkdirSync(pages, { recursive: true })
try {
  for (const [name, dashboard] of Object.entries(DASHBOARDS)) {
    const range = resolveTimeRange(dashboard.time, store.now)
    const answers = await runDashboard(store.source, dashboard, range, await store.choose(name))
    writeFileSync(`${pages}/${name}.html`, page(dashboard, range, answers))
    console.log(`${pathToFileURL(`${pages}/${name}.html`)}  ${answers.queries.length} queries`)
  }
} finally {
  await store.close()
}
if (options.images) {
  const { takeScreenshots } = await import('./take-screenshots.mjs')
  await takeScreenshots(pages, Object.keys(DASHBOARDS), resolve(options.images))
}

function page(dashboard, range, answers) {
  const data = {
    title: dashboard.title,
    description: dashboard.description,
    range: { from: range.from.getTime(), to: range.to.getTime() },
    variables: dashboard.templating.list
      .filter(({ type, hide }) => type !== 'datasource' && hide !== 2)
      .map(({ name, label }) => ({
        label,
        value: chosen(answers.variables.find((variable) => variable.name === name)),
      })),
    panels: dashboard.panels.map((panel) => ({
      ...panel,
      frames: answers.queries.filter((query) => query.panel === panel.id).map(({ frame }) => frame),
    })),
  }
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  return readFileSync(`${preview}/page.html`, 'utf8')
    .replace('TITLE', dashboard.title)
    .replace('DATA', () => json)
}

function chosen({ value }) {
  return String(value) === '$__all' ? 'All' : String(value)
}

function run(command, args, directory) {
  const { status } = spawnSync(command, args, { cwd: directory, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
