import { type Block, type Inline, markdownOf } from '../model/markdown.js'
import { storedChoice } from '../parts/stored-choice.js'

const markdown = storedChoice('markdown', ['formatted', 'raw'])

/** A text in Markdown, formatted or raw. It is never inserted as HTML. */
export function MarkdownText({ text }: { readonly text: string }) {
  const isRaw = markdown.value === 'raw'
  return (
    <div class="markdown">
      <button
        type="button"
        class="quiet markdown-switch"
        aria-pressed={isRaw}
        title={isRaw ? 'Show Markdown formatted' : 'Show Markdown as it is'}
        onClick={() => (markdown.value = isRaw ? 'formatted' : 'raw')}
      >
        raw
      </button>
      {isRaw ? (
        <div class="text">{text}</div>
      ) : (
        markdownOf(text).map((block, at) => <BlockView key={at} block={block} />)
      )}
    </div>
  )
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'code':
      return (
        <pre class="markdown-code" tabIndex={0}>
          {block.text}
        </pre>
      )
    case 'rule':
      return <hr />
    case 'item':
      return (
        <div class="markdown-item" style={{ paddingLeft: `${block.depth * 8}px` }}>
          <span class="muted">{block.marker}</span>
          <span>
            <Parts parts={block.parts} />
          </span>
        </div>
      )
    default:
      return (
        <p data-kind={block.kind}>
          <Parts parts={block.parts} />
        </p>
      )
  }
}

const Parts = ({ parts }: { readonly parts: readonly Inline[] }) =>
  parts.map((part, at) => <Part key={at} part={part} />)

function Part({ part }: { readonly part: Inline }) {
  switch (part.kind) {
    case 'code':
      return <code>{part.text}</code>
    case 'strong':
      return <strong>{part.text}</strong>
    case 'emphasis':
      return <em>{part.text}</em>
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer nofollow">
          {part.text}
        </a>
      )
    case 'text':
      return <>{part.text}</>
  }
}
