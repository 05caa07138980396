import { useState } from 'preact/hooks'

import type { Message, Part } from '../model/messages.js'
import { Glyph } from '../parts/glyph.js'
import { AnyValue, TextOrJson } from './section.js'
import { LongText } from './lines-view.js'

/** The number of messages shown at first, and added with each click. */
const PIECE = 20

/** Messages with their speakers, the last ones first shown; tool calls as cards. */
export function Conversation({ messages }: { readonly messages: readonly Message[] }) {
  const [shown, show] = useState(PIECE)
  const hidden = Math.max(0, messages.length - shown)
  return (
    <ol class="conversation">
      {hidden > 0 && (
        <li>
          <button type="button" class="more" onClick={() => show(shown + PIECE)}>
            {hidden === 1 ? '1 message before' : `${hidden} messages before`}
          </button>
        </li>
      )}
      {messages.slice(hidden).map(({ role, parts }, index) => (
        <li key={hidden + index} class="message" data-role={role}>
          {role !== '' && <span class="speaker">{role}</span>}
          {parts.map((part, at) => (
            <MessagePart key={at} part={part} />
          ))}
        </li>
      ))}
    </ol>
  )
}

function MessagePart({ part }: { readonly part: Part }) {
  switch (part.kind) {
    case 'text':
      return <TextOrJson text={part.text} />
    case 'thought':
      return (
        <div class="thought">
          <span class="speaker">thought</span>
          <LongText text={part.text} />
        </div>
      )
    case 'call':
      return (
        <div class="call-card">
          <span class="call-name">
            <Glyph role="tool" />
            {part.name} <span class="muted mono">{part.id}</span>
          </span>
          {part.value !== undefined && <AnyValue value={part.value} />}
        </div>
      )
    case 'response':
      return (
        <div class="call-card">
          <span class="call-name muted">
            answer to <span class="mono">{part.id}</span>
          </span>
          <AnyValue value={part.value} />
        </div>
      )
    case 'other':
      return <AnyValue value={part.value} />
  }
}
