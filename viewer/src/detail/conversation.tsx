import type { Message, Part } from '../model/messages.js'
import { Glyph } from '../parts/glyph.js'
import { AnyValue } from './section.js'
import { LongText } from './long-text.js'

/** Messages, each with who said it; tool calls as cards. */
export function Conversation({ messages }: { readonly messages: readonly Message[] }) {
  return (
    <ol class="conversation">
      {messages.map(({ role, parts }, index) => (
        <li key={index} class="message" data-role={role}>
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
      return <LongText text={part.text} />
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
