import type { SpanJson } from 'planspan/client'
import { useState } from 'preact/hooks'

import { CopyButton } from '../parts/copy-button.js'
import { LinesView, LongText } from './lines-view.js'

interface SpanDataProps {
  readonly span: SpanJson
  readonly traceId: string | undefined
}

/** The stored data of a span, folded: its attributes, its JSON, its ids. */
export function SpanData({ span, traceId }: SpanDataProps) {
  return (
    <div class="span-data">
      <Attributes span={span} />
      <Folded title="Raw JSON" text={() => JSON.stringify(span, undefined, 2)}>
        {() => <LinesView text={JSON.stringify(span)} />}
      </Folded>
      <Folded title="Ids" text={() => span.spanId}>
        {() => (
          <dl class="pairs mono">
            {[
              ['Span', span.spanId],
              ['Above', span.parentSpanId],
              ['Trace', traceId ?? ''],
            ]
              .filter(([, id]) => id !== '')
              .map(([name, id = '']) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    {id} <CopyButton text={() => id} what={`${name} id`} />
                  </dd>
                </div>
              ))}
          </dl>
        )}
      </Folded>
    </div>
  )
}

function Attributes({ span: { attributes } }: { readonly span: SpanJson }) {
  const count = Object.keys(attributes).length
  return (
    <Folded title={`Attributes, ${count}`} text={() => JSON.stringify(attributes, undefined, 2)}>
      {() => <AttributeList attributes={attributes} />}
    </Folded>
  )
}

function AttributeList({ attributes }: Pick<SpanJson, 'attributes'>) {
  const [wanted, want] = useState('')
  const all = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const shown = all.filter(([key, value]) => `${key} ${value}`.toLowerCase().includes(wanted.toLowerCase()))
  return (
    <>
      <input
        type="search"
        class="button wide"
        placeholder="Find in keys and values"
        aria-label="Find in keys and values"
        value={wanted}
        onInput={({ currentTarget }) => want(currentTarget.value)}
      />
      <dl class="attributes">
        {shown.map(([key, value]) => (
          <div key={key}>
            <dt class="mono">{key}</dt>
            <dd>
              <LongText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

interface FoldedProps {
  readonly title: string
  readonly text: () => string
  /** Rendered only while it is open. */
  readonly children: () => preact.JSX.Element
}

function Folded({ title, text, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="folded" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span>{title}</span>
        {isOpen && <CopyButton text={text} what={title} />}
      </summary>
      {isOpen && children()}
    </details>
  )
}
