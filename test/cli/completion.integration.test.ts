import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { PLAN_SORTS } from '../../src/store/index.js'
import { runCli } from './run-cli.js'

const run = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planspan-completion-'))
  for (const shell of ['bash', 'zsh', 'fish']) {
    await writeFile(join(folder, `planspan.${shell}`), (await runCli(['completion', shell])).out)
  }
  await writeFile(join(folder, 'records.jsonl'), '')
})
afterAll(() => rm(folder, { recursive: true }))

/** How to list each shell's completions of a command line; its last word is being typed. */
const ASK = {
  bash: (line: string) => [
    '--norc',
    '-c',
    `source planspan.bash; COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; _planspan; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // Completion is only reachable through a terminal.
  zsh: (line: string) => [
    '-f',
    '-c',
    `zmodload zsh/zpty
     zpty it zsh -f -i
     zpty -w it "PS1=; autoload -U compinit; compinit -u -D; source planspan.zsh; LISTMAX=10000; bindkey '^X' list-choices; zstyle ':completion:*' list-colors ''; print re''ady"
     zpty -m -r it got '*ready*'
     zpty -w -n it '${line}'$'\\x18'
     for round in {1..60}; do
       zpty -r -t it piece && got+=$piece || sleep 0.05
     done
     zpty -d it
     print -r -- "$got"`,
  ],
  fish: (line: string) => ['--no-config', '-c', `source planspan.fish; complete -C '${line}'`],
} as const

type Shell = keyof typeof ASK

async function missing(shell: Shell): Promise<boolean> {
  try {
    await run(shell, ['-c', 'exit'])
    return false
  } catch (error) {
    if (process.env['CI'] === 'true') throw error
    return true
  }
}

describe.each(['bash', 'zsh', 'fish'] as const)('%s completes', (shell) => {
  it.for([
    ['a command', 'planspan ex', ['export'], ['import']],
    ['an option', 'planspan list --s', ['--since', '--sort', '--state'], ['--until']],
    ['a value that is one of few', 'planspan list --sort r', ['risk'], ['tokens']],
    ['a state', 'planspan list --state can', ['cancelled'], ['running']],
    ['a dialect', 'planspan import --format plan-act:s', ['sse', 'session'], ['trajectory']],
    ['a value behind =', 'planspan list --order=a', ['asc'], ['desc']],
    ['a word', 'planspan token re', ['revoke'], ['create']],
    ['a file', 'planspan validate rec', ['records.jsonl'], ['--format']],
  ] as const)('%s', async ([, line, expected, others], context) => {
    if (await missing(shell)) return context.skip(`To test it, install ${shell}: apt-get install ${shell}`)
    const { stdout: reported } = await run(shell, ASK[shell](line), { cwd: folder, timeout: 60_000 })
    // Fish adds descriptions, which contain other names.
    const stdout = shell === 'fish' ? reported.replaceAll(/\t.*/g, '') : reported
    for (const word of expected) expect(stdout).toContain(word)
    for (const word of others) expect(stdout).not.toContain(word)
  })
})

it('completes one of several values in bash', async () => {
  const { stdout } = await run('bash', ASK.bash('planspan list --state failed,wa'), { cwd: folder })
  expect(stdout).toBe('failed,waiting\n')
})

it('completes the sort keys of lists', async () => {
  const { out } = await runCli(['completion', 'bash'])
  expect(out).toContain(`words="${PLAN_SORTS.join(' ')}"`)
})

it('rejects an unknown shell', async () => {
  const { code, err } = await runCli(['completion', 'tcsh'])
  expect(code).toBe(2)
  expect(err).toContain('"tcsh" is not a supported shell. Use bash, zsh, fish.')
})
