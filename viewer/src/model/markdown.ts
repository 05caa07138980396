/** A part of a line. Only links to web pages and mail addresses are links. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

export type Block =
  | { readonly kind: 'heading' | 'quote' | 'paragraph'; readonly parts: readonly Inline[] }
  | { readonly kind: 'item'; readonly marker: string; readonly depth: number; readonly parts: readonly Inline[] }
  /** Code, or the lines of a table. */
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' }

const FENCE = /^ {0,3}(```+|~~~+)/
const HEADING = /^ {0,3}#{1,6}\s+(\S.*)$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(\S.*)$/
const QUOTE = /^ {0,3}>\s?(.*)$/
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/
const TABLE = /^\s*\|.*\|\s*$/

/** Whether a text contains Markdown that is worth formatting. */
export const isMarkdown = (text: string): boolean =>
  /^ {0,3}(?:```|~~~|#{1,6}\s+\S)|^\s*(?:[-*+]|\d{1,9}[.)])\s+\S|\*\*[^*\n]{1,500}\*\*|`[^`\n]{1,500}`|\]\(https?:/m.test(
    text,
  )

/** Parses the common part of Markdown to blocks. HTML in it remains text. */
export function markdownOf(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split(/\r?\n/)
  let paragraph: string[] = []
  const end = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', parts: inlinesOf(paragraph.join('\n')) })
    paragraph = []
  }
  const block = (next: Block): void => {
    end()
    blocks.push(next)
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = FENCE.exec(line)?.[1]
    const [, indent = '', marker = '', item] = ITEM.exec(line) ?? []
    const heading = HEADING.exec(line)?.[1]
    const quote = QUOTE.exec(line)?.[1]
    if (fence !== undefined) {
      const to = lines.findIndex((other, index) => index > at && other.trimStart().startsWith(fence))
      block({ kind: 'code', text: lines.slice(at + 1, to < 0 ? undefined : to).join('\n') })
      at = to < 0 ? lines.length : to
    } else if (TABLE.test(line)) {
      const to = lines.findIndex((other, index) => index > at && !TABLE.test(other))
      block({ kind: 'code', text: lines.slice(at, to < 0 ? undefined : to).join('\n') })
      at = to < 0 ? lines.length : to - 1
    } else if (line.trim() === '') end()
    else if (RULE.test(line)) block({ kind: 'rule' })
    else if (heading !== undefined) block({ kind: 'heading', parts: inlinesOf(heading.replace(/\s#+\s*$/, '')) })
    else if (item !== undefined) {
      const depth = Math.min(8, Math.floor(indent.replaceAll('\t', '    ').length / 2))
      block({ kind: 'item', marker: /\d/.test(marker) ? marker : '•', depth, parts: inlinesOf(item) })
    } else if (quote !== undefined) block({ kind: 'quote', parts: inlinesOf(quote) })
    else paragraph.push(line)
  }
  end()
  return blocks
}

/** Spans are limited in length, so that the search for their ends takes linear time. */
const SPAN =
  /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|\[([^\]\n]{1,500})\]\(((?:https?:\/\/|mailto:)[^\s()<>"]{1,2000})\)|(?<![*\w])\*([^*\s][^*\n]{0,500})\*(?![*\w])/g

function inlinesOf(text: string): Inline[] {
  const parts: Inline[] = []
  let from = 0
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, strong, label, href, emphasis] = match
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) })
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else if (label !== undefined && href !== undefined) parts.push({ kind: 'link', text: label, href })
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', text: emphasis })
    from = match.index + whole.length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}
