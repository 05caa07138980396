import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PageCommand {
  readonly page: string
  /** As it stands there, without its prompt and comment. */
  readonly command: string
}

/** The pages that tell users what to type. */
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
/** What a block without a language begins with that is to be typed. */
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

/** With prompts, what stands behind them; without, each line, continued lines and loops as one. */
function commandLines(block: string): string[] {
  const prompted = [...block.matchAll(/^\$ (.*)$/gm)].map(([, line = '']) => line)
  if (prompted.length > 0) return prompted
  return [...block.matchAll(/^(?:while .*\n(?:.*\n)*?done.*|(?:.*\\\n)*.*)$/gm)].map(([lines]) => lines)
}
