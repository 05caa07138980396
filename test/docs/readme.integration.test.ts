import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startServer } from '../../src/server/index.js'
import { freshDatabase } from '../support/clickhouse.js'

const run = promisify(execFile)
const readme = readFileSync('README.md', 'utf8')
const commands = readFileSync('docs/command-line.md', 'utf8')
const example = 'examples/ten-lines.mjs'

describe('the README', () => {
  test('shows the example as in the repository', () => {
    const shown = new RegExp(`<!-- ${example} -->\\n\`\`\`js\\n([^]*?)\`\`\`\\n<!-- end -->`).exec(readme)?.[1]
    expect(shown).toBe(readFileSync(example, 'utf8'))
  })

  test('describes the example’s record correctly', async () => {
    const { url, database, drop } = await freshDatabase()
    const server = await startServer({ clickhouse: url, database, port: 0 })
    try {
      await run(process.execPath, [example], { env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: server.url } })
      const { stdout } = await run(process.execPath, [
        'dist/cli/main.js',
        'show',
        'plan-rome',
        '--endpoint',
        server.url,
      ])
      const record = JSON.parse(stdout) as {
        userRequest: string
        summary: string
        agentExecutionSequence: { thinkActSteps: object[] }[]
      }
      expect(record).toMatchObject({ userRequest: 'Plan a day in Rome.', summary: 'three museums' })
      expect(record.agentExecutionSequence[0]?.thinkActSteps[0]).toMatchObject({
        toolName: 'search',
        actToolInfoList: [{ name: 'search', parameters: '{"query":"Rome"}', result: 'three museums', id: 'call-1' }],
        planspan: {
          usage: { inputTokens: 1200, outputTokens: 80, totalTokens: 1280, cacheReadTokens: 1000 },
          risk: { maxScore: 0.2, isSafe: true },
        },
      })
    } finally {
      await server.close()
      await drop()
    }
  })
})

describe('docs/command-line.md', () => {
  test('names every command', async () => {
    const { COMMANDS } = await import('../../src/cli/commands.js')
    for (const command of Object.keys(COMMANDS)) expect(commands).toContain(`planspan ${command}`)
  })

  test('names every command that connects to a server', async () => {
    const { COMMANDS } = await import('../../src/cli/commands.js')
    const [, named = ''] = /^(`import`[^]*?) talk to the server at `--endpoint`/m.exec(commands) ?? []
    const talking = await Promise.all(
      Object.entries(COMMANDS).map(async ([name, { load }]) =>
        'endpoint' in (await load()).command.options ? name : [],
      ),
    )
    // Verify has its own sentence.
    expect(
      [...named.matchAll(/`(\w+)`/g)]
        .map(([, name]) => name)
        .concat('verify')
        .toSorted(),
    ).toEqual(talking.flat().toSorted())
  })
})
