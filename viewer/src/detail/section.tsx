import type { ComponentChildren } from 'preact'

import { CopyButton } from '../parts/copy-button.js'
import { parsed } from '../model/messages.js'
import { LinesView } from './lines-view.js'
import { LONG, LongText } from './long-text.js'

interface SectionProps {
  readonly title: string
  /** What its button copies. */
  readonly text?: string | undefined
  readonly children: ComponentChildren
}

/** A part of the detail under a title. */
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

/** A text under a title, JSON as such; nothing where there is none. */
export function TextSection({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  if (text === undefined || text === '') return null
  return (
    <Section title={title} text={text}>
      <TextOrJson text={text} />
    </Section>
  )
}

/** A text, or what the JSON in it says. */
export function TextOrJson({ text }: { readonly text: string }) {
  const looksLikeJson = /^\s*[[{]/.test(text)
  // Whoever reads a long text finds out by itself.
  const isJson = looksLikeJson && (text.length > LONG || typeof parsed(text) === 'object')
  return isJson ? <LinesView text={text} /> : <LongText text={text} />
}

/** A value of any kind. */
export function AnyValue({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <TextOrJson text={value} />
  return typeof value === 'object' && value !== null ? (
    <LinesView text={JSON.stringify(value)} />
  ) : (
    <LongText text={String(value)} />
  )
}

/** Names and short values beside each other; nothing of what is undefined. */
export function Pairs({ pairs }: { readonly pairs: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const told = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '')
  if (told.length === 0) return null
  return (
    <dl class="pairs">
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
