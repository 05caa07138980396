import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, test } from 'vitest'

import { TOOLS } from '../../src/mcp/mcp-server.js'
import { MAIN } from '../cli/run-cli.js'

const PAGE = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
const CODE = [...PAGE.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** Returns the command that a configuration of the page starts, as words. */
function startedBy(code: string): string[] | undefined {
  const json = /\{.*\}/.exec(code)?.[0]
  if (json === undefined) return /npx -y planspan mcp.*/.exec(code)?.[0].split(' ')
  const configuration = JSON.parse(json) as Started & { mcpServers?: { planspan: Started } }
  const { command, args } = configuration.mcpServers?.planspan ?? configuration
  return [command, ...args]
}
interface Started {
  readonly command: string
  readonly args: readonly string[]
}

const started = CODE.map(startedBy).filter((words) => words !== undefined)

describe('docs/mcp.md', () => {
  test('names a command for each assistant', () => {
    expect(started.length).toBeGreaterThanOrEqual(7)
    for (const words of started) expect(words.slice(0, 4)).toEqual(['npx', '-y', 'planspan', 'mcp'])
  })

  test.each([...new Map(started.map((words) => [words.join(' '), words]))])('%s', async (_, words) => {
    const client = new Client({ name: 'assistant', version: '1.0.0' })
    // The package is the one under test.
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, ...words.slice(3)] }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    await client.close()
  })

  test('describes each tool', () => {
    const table = /^## The tools\n([^]*?)^## /m.exec(PAGE)?.[1] ?? ''
    expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(TOOLS.map(({ name }) => name)),
    )
  })
})
