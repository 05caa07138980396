import type { ComponentChildren } from 'preact'

import { CopyButton } from '../parts/copy-button.js'
import { isMarkdown } from '../model/markdown.js'
import { parsed } from '../model/messages.js'
import { LinesView, LONG, LongText } from './lines-view.js'
import { MarkdownText } from './markdown-text.js'

interface SectionProps {
  readonly title: string
  /** The text that the section's button copies. */
  readonly text?: string | undefined
  readonly children: ComponentChildren
}

/** A titled section of the detail pane. */
export function Section({ title, text, children }: SectionProps) {
  return (
    <section class="detail-section">
      <header>
        <h3>{title}</h3>
        {text !== undefined && <CopyButton text={() => text} what={title} />}
      </header>
      {children}
    </section>
  )
}

/** A titled text, or formatted JSON; nothing if the text is missing. */
export function TextSection({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  if (text === undefined || text === '') return null
  return (
    <Section title={title} text={text}>
      <TextOrJson text={text} />
    </Section>
  )
}

/** A text, formatted if it is Markdown, or the value of the JSON in it. */
export function TextOrJson({ text }: { readonly text: string }) {
  const looksLikeJson = /^\s*[[{]/.test(text)
  // A long text is parsed only by the component that shows it.
  const isJson = looksLikeJson && (text.length > LONG || typeof parsed(text) === 'object')
  if (isJson) return <LinesView text={text} />
  return text.length <= LONG && isMarkdown(text) ? <MarkdownText text={text} /> : <LongText text={text} />
}

/** Any value. */
export function AnyValue({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <TextOrJson text={value} />
  return typeof value === 'object' && value !== null ? (
    <LinesView text={JSON.stringify(value)} />
  ) : (
    <LongText text={String(value)} />
  )
}

/** Names beside short values; undefined values are left out. */
export function Pairs({ pairs }: { readonly pairs: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const present = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '')
  if (present.length === 0) return null
  return (
    <dl class="pairs">
      {present.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
