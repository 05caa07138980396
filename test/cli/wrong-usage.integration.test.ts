import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import type * as Run from '../../src/cli/run.js'

// The built command, in this process: a process for each line would take most of the time.
const { runCli } = (await import(new URL('../../dist/cli/run.js', import.meta.url).href)) as typeof Run

const NOWHERE = ['--endpoint', 'http://127.0.0.1:2']

let out = ''
let err = ''
beforeEach(() => {
  out = ''
  err = ''
  vi.stubEnv('XDG_CONFIG_HOME', '/nowhere')
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('the command line', () => {
  test.each(Object.keys(COMMANDS))('%s --help shows its options', async (name) => {
    const code = await runCli([name, '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`USAGE planspan ${name}`)
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test.each([
    [[], /USAGE planspan/],
    [['bogus'], /no command "bogus"\. Commands are serve, demo, .*doctor, completion\. See `planspan --help`/],
    [['help', 'bogus'], /no command "bogus"/],
    [['toString'], /no command "toString"/],
    [['list', '--bogus'], /^Error: Unknown option '--bogus'\. See `planspan list --help`\.\n$/],
    [['list', '--limit'], /--limit/],
    [['serve', '--data='], /--data takes a directory/],
    [['serve', '--host', '0.0.0.0'], /--host 0\.0\.0\.0 is beyond this machine.*--tokens FILE.*--open/],
    [['serve', '--host', '::'], /--host :: is beyond this machine/],
    [['serve', '--open', '--tokens', 'x'], /Give one of them/],
    [['serve', '--host', '0.0.0.0', '--open'], /without TLS can be read .*--tls-cert FILE .*--plain-http/],
    [['serve', '--cors-origin', '*'], /--cors-origin takes the origin of a page, .*not "\*"/],
    [['serve', '--log-format', 'xml'], /--log-format takes text or json, not "xml"/],
    [['serve', '--tls-cert', 'x'], /give both --tls-cert FILE and --tls-key FILE/],
    [['serve', '--tls-cert', 'x', '--tls-key', 'y', '--plain-http'], /Give one of them/],
    [['serve', '--tls-cert', '/nope/a.pem', '--tls-key', '/nope/b.pem'], /\/nope\/a\.pem cannot be read \(ENOENT\)/],
    [['serve', '--tokens', '/nope/tokens.json'], /cannot be read \(ENOENT\).*planspan token create NAME --tokens/],
    [['token', 'list'], /Missing required argument: --tokens/],
    [['token', '--tokens', 'x'], /Use create, list, revoke, not ""/],
    [['token', 'create', '--tokens', 'x'], /token create takes one name/],
    [['token', 'create', 'a b', '--tokens', 'x'], /"a b" is not a valid name/],
    [['token', 'create', 'a', '--scope', 'write', '--tokens', 'x'], /--scope takes scopes of .*not "write"/],
    [['token', 'create', 'a', '--expires', '2020-01-01', '--tokens', 'x'], /--expires takes .*not "2020-01-01"/],
    [['token', 'create', 'a', '--tenant', 'a.b', '--tokens', 'x'], /"a\.b" is not a valid tenant name/],
    [['tenant'], /Use create, list, drop, not ""/],
    [['tenant', 'create'], /tenant create takes one name/],
    [['tenant', 'create', 'acme`; DROP'], /is not a valid tenant name/],
    [['tenant', 'create', 'SYSTEM'], /is not a valid tenant name/],
    [['tenant', 'drop', 'acme'], /This deletes everything.*--yes/],
    [['token', 'list', '--tokens', 'package.json'], /token file package\.json is malformed/],
    [['list', '--since', 'yesterday', ...NOWHERE], /--since takes .*24h.*, not "yesterday"/],
    [['list', '--until', 'soon', ...NOWHERE], /--until takes .*24h.*, not "soon"/],
    [['list', '--facets', '--sort', 'risk', ...NOWHERE], /omit --sort/],
    [['list', '--config', '/nope/config.json'], /configuration file \/nope\/config\.json cannot be read \(ENOENT\)/],
    [['list', '--limit', '0', ...NOWHERE], /--limit takes a whole number from 1/],
    [['list', 'extra', ...NOWHERE], /Unexpected "extra"/],
    [['list', '--endpoint', 'localhost:4318'], /"localhost:4318" is not a valid endpoint/],
    [['show', ...NOWHERE], /Missing required positional argument: ID/],
    [['import', ...NOWHERE], /No file is named/],
    [['verify'], /No file is named/],
    [['import', '/nope/x.json', ...NOWHERE], /\/nope\/x\.json cannot be read/],
    [['import', 'x', '--format', 'odd', ...NOWHERE], /"odd" is not a dialect. Dialects are plan-execution/],
    [['verify', '--time-zone', 'Mars/Olympus', 'package.json', ...NOWHERE], /Unknown time zone "Mars\/Olympus"/],
    [['schema', '--database', 'a-b'], /not a valid database name/],
    [['backup'], /Missing required positional argument: FILE/],
    [['backup', 'x.tar', '--data', '/nope'], /\/nope is not a data directory of planspan/],
    [['backup', 'x.tar', '--clickhouse', 'http://x:8123'], /does it itself: docs\/deployment\.md#backups-of-a/],
    [['restore', 'x.tar', '--clickhouse', 'http://x:8123'], /does it itself: docs\/deployment\.md#backups-of-a/],
    [['restore', '/nope.tar'], /There is no file \/nope\.tar/],
    [['restore', 'package.json', '--check'], /package\.json is no whole backup of planspan: It is cut off, damaged/],
  ])('%j is wrong usage', async (args, message) => {
    expect(await runCli(args)).toBe(2)
    expect(out + err).toMatch(message)
  })
})
