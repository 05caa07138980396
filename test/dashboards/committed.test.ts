import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import type { DashboardModel, PanelModel } from '../../dashboards/query/model.js'
import { generatedFiles } from '../../dashboards/src/generated-files.js'

const root = new URL('../../', import.meta.url)
const folder = new URL('dashboards/', root)
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8')
const dashboards = readdirSync(new URL('json/', folder)).map(
  (name): [string, DashboardModel & { readonly schemaVersion: number }] => [name, JSON.parse(read(`json/${name}`))],
)
const panels = dashboards.flatMap(([name, { panels }]) =>
  panels.map((panel): [string, PanelModel] => [`${name}: ${panel.title}`, panel]),
)

describe('the committed files', () => {
  test.each(Object.entries(generatedFiles()))('%s matches its source', (path, text) => {
    expect(read(path) === text, `${path} is stale: npm run dashboards`).toBe(true)
  })

  test('include no dashboard without a source', () => {
    const made = Object.keys(generatedFiles()).filter((path) => path.startsWith('json/'))
    expect(dashboards.map(([name]) => `json/${name}`).sort()).toEqual(made.sort())
  })
})

describe('every dashboard', () => {
  test.each(dashboards)('%s is in the classic model that Grafana 11.6 to 13 read', (_, dashboard) => {
    expect(dashboard.schemaVersion).toBeLessThanOrEqual(42)
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })

  test.each(dashboards)('%s reads the data source and database that its variable chooses', (_, dashboard) => {
    const json = JSON.stringify(dashboard)
    expect([...json.matchAll(/"uid":"(?!planspan-)([^"]*)"/g)].map(([, uid]) => uid)).toEqual(
      expect.arrayContaining(['${datasource}']),
    )
    expect(json).not.toMatch(/"uid":"planspan"/)
    expect(json).not.toMatch(/\b(?:FROM|JOIN) (?:otel|default)\./)
  })

  test.each(dashboards)('%s fills its rows without a gap or an overlap', (_, dashboard) => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(cells.length % 24).toBe(0)
  })
})

describe('every panel has a description', () => {
  test.each(panels)('%s', (_, { title, description, type, targets }) => {
    expect(title.length).toBeLessThanOrEqual(50)
    expect(description).toMatch(/^.{30,}\.$/)
    expect(targets).toHaveLength(1)
    expect(targets?.[0]?.format).toBe({ timeseries: 0, traces: 3 }[type] ?? 1)
  })
})

describe('every link has a target', () => {
  const links = dashboards.flatMap(([name, dashboard]) =>
    [...JSON.stringify(dashboard).matchAll(/"url":"([^"]+)"/g)].map(([, url]): [string, string] => [name, url ?? '']),
  )

  test('links exist', () => {
    expect(links.length).toBeGreaterThan(5)
  })

  test.each(links)('%s: %s', (_, url) => {
    const [, uid, query] = /^\/d\/([\w-]+)\?(.*)$/.exec(url) ?? []
    const target = dashboards.find(([, dashboard]) => dashboard.uid === uid)?.[1]
    const variables = [...(query ?? '').matchAll(/var-(\w+)=/g)].map(([, name]) => name)
    expect(target?.templating.list.map(({ name }) => name)).toEqual(expect.arrayContaining(variables))
  })

  test.each(links)('%s: %s keeps the time range, and the id as it is', (_, url) => {
    expect(url).toMatch(/\$\{__url_time_range\}$/)
    expect(url).toMatch(/\$\{__data\.fields\.\w+:percentencode\}/)
  })
})

describe('provisioning', () => {
  const files = readdirSync(new URL('provisioning/', folder), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.yaml'),
  )

  test.each(files)('%s is one of Grafana’s provisioning files', (path) => {
    expect(path).toMatch(/^(?:alerting|dashboards|datasources)\/planspan\.yaml$/)
    expect(parse(read(`provisioning/${path}`))).toMatchObject({ apiVersion: 1 })
  })

  test('the data source reads as the read-only user, and traces from the view of final spans', () => {
    const { datasources } = parse(read('provisioning/datasources/planspan.yaml'))
    expect(datasources).toHaveLength(1)
    expect(datasources[0]).toMatchObject({
      uid: 'planspan',
      jsonData: { username: '$CLICKHOUSE_READER', traces: { defaultTable: 'spans' } },
    })
  })

  test('Grafana of compose.yaml mounts them, finds the dashboards, and has their variables', () => {
    const { grafana, clickhouse } = parse(readFileSync(new URL('compose.yaml', root), 'utf8')).services
    const mounts: Readonly<Record<string, string>> = Object.fromEntries(
      [...grafana.volumes, ...clickhouse.volumes].map((volume: string) => volume.split(':').slice(0, 2).reverse()),
    )
    for (const kind of ['alerting', 'dashboards', 'datasources']) {
      expect(mounts[`/etc/grafana/provisioning/${kind}`]).toBe(`./dashboards/provisioning/${kind}`)
    }
    const { providers } = parse(read('provisioning/dashboards/planspan.yaml'))
    expect(providers.map(({ options }: { options: { path: string } }) => mounts[options.path])).toEqual([
      './dashboards/json',
    ])
    const named = [...read('provisioning/datasources/planspan.yaml').matchAll(/\$(\w+)/g)].map(([, name]) => name)
    expect(Object.keys(grafana.environment)).toEqual(expect.arrayContaining(named))
    expect(Object.keys(mounts)).toContain('/etc/clickhouse-server/users.d/planspan-reader.xml')
    expect(read('provisioning/clickhouse-reader.xml')).toContain(`<${grafana.environment.CLICKHOUSE_READER}>`)
    expect(read('provisioning/clickhouse-reader.xml')).toContain(`ON ${grafana.environment.CLICKHOUSE_DATABASE}.*`)
  })

  test('alert rules contain no $, which Grafana would expand as an environment variable', () => {
    expect(read('provisioning/alerting/planspan.yaml')).not.toContain('$')
  })

  test('alert rules name dashboards and the data source that exist', () => {
    const text = read('provisioning/alerting/planspan.yaml')
    const uids = [...text.matchAll(/\/d\/([\w-]+)/g)].map(([, uid]) => uid)
    expect(dashboards.map(([, { uid }]) => uid)).toEqual(expect.arrayContaining(uids))
    const sources = [...text.matchAll(/datasourceUid: (\S+)/g)].map(([, uid]) => uid)
    expect(new Set(sources)).toEqual(new Set(['planspan', '__expr__']))
  })
})

test.each(dashboards)('%s has a picture in the documentation, small enough to load at once', (name) => {
  const picture = new URL(`docs/images/dashboard-${name.replace('.json', '')}.png`, root)
  expect(readFileSync(picture).length).toBeLessThan(250_000)
})
