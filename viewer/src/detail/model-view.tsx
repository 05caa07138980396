import type { SpanJson } from 'planspan/client'
import { ATTR } from 'virtual:planspan-names'

import { messagesOf } from '../model/messages.js'
import { wholeCount } from '../model/quantity.js'
import { Conversation } from './conversation.js'
import { Pairs, Section, TextSection } from './section.js'

/** A model call: its answer, then its input. */
export function ModelView({ span: { attributes } }: { readonly span: SpanJson }) {
  const answer = attributes[ATTR.outputMessages]
  const prompt = attributes[ATTR.inputMessages]
  return (
    <>
      <Pairs
        pairs={[
          ['Model', attributes[ATTR.responseModel] ?? attributes[ATTR.requestModel]],
          ['Input tokens', tokens(attributes[ATTR.usageInputTokens])],
          ['Read from cache', tokens(attributes[ATTR.usageCacheReadTokens])],
          ['Written to cache', tokens(attributes[ATTR.usageCacheWriteTokens])],
          ['Output tokens', tokens(attributes[ATTR.usageOutputTokens])],
          ['Reasoning tokens', tokens(attributes[ATTR.usageReasoningTokens])],
        ]}
      />
      <Messages title="Answer" json={answer} />
      <Messages title="Input" json={prompt} />
      <TextSection title="Instructions" text={attributes[ATTR.systemInstructions]} />
      {answer === undefined && prompt === undefined && (
        <p class="muted">The messages of this call were not recorded.</p>
      )}
    </>
  )
}

/** Messages as a conversation; other values unchanged. */
export function Messages({ title, json }: { readonly title: string; readonly json: string | undefined }) {
  const messages = messagesOf(json)
  if (!messages) return <TextSection title={title} text={json} />
  return (
    <Section title={title} text={json}>
      <Conversation messages={messages} />
    </Section>
  )
}

const tokens = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : wholeCount(Number(text))
