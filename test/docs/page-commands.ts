import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PageCommand {
  readonly page: string
  /** The command without its prompt and comment. */
  readonly command: string
}

/** The pages with commands for users. */
export const PAGES = ['README.md', 'SECURITY.md', 'collector-config/README.md'].concat(
  readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
)

/** The shell commands of a page's code blocks. */
export function commandsOf(page: string): PageCommand[] {
  return shellBlocks(readFileSync(page, 'utf8'))
    .flatMap(commandLines)
    .map((line) => line.replace(/ {2,}# .*$/, '').trim())
    .filter((command) => command !== '' && !command.startsWith('#') && !SETTINGS.test(command))
    .map((command) => ({ page, command }))
}

const SHELL = new Set(['sh', 'bash', 'console'])
/** The beginning of a block of commands without a language. */
const TYPED =
  /^(?:\$ |(?:[A-Z_]+=\S+ )*(?:apply|curl|docker|export|helm|jaeger|kubectl|node|np[mx]|otelcol|pip|planspan) )/m
const SETTINGS = /^(?:export )?(?:[A-Z_]+=\S*\s*)+$/

function shellBlocks(text: string): string[] {
  const blocks: string[] = []
  let block: { readonly language: string; readonly lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const fence = /^ *```(\w*)/.exec(line)
    if (!fence) block?.lines.push(line)
    else if (!block) block = { language: fence[1] ?? '', lines: [] }
    else {
      const code = block.lines.join('\n')
      if (SHELL.has(block.language) || (block.language === '' && TYPED.test(code))) blocks.push(code)
      block = undefined
    }
  }
  return blocks
}

/** Returns the text after each prompt, or without prompts each line, with continued lines and loops as one line. */
function commandLines(block: string): string[] {
  const prompted = [...block.matchAll(/^\$ (.*)$/gm)].map(([, line = '']) => line)
  if (prompted.length > 0) return prompted
  return [...block.matchAll(/^(?:while .*\n(?:.*\n)*?done.*|(?:.*\\\n)*.*)$/gm)].map(([lines]) => lines)
}
