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
          ['Tokens read', tokens(attributes[ATTR.usageInputTokens])],
          ['From cache', tokens(attributes[ATTR.usageCacheReadTokens])],
          ['To cache', tokens(attributes[ATTR.usageCacheWriteTokens])],
          ['Tokens written', tokens(attributes[ATTR.usageOutputTokens])],
          ['For thoughts', tokens(attributes[ATTR.usageReasoningTokens])],
        ]}
      />
      <Messages title="Answer" json={answer} />
      <Messages title="Asked" json={prompt} />
      <TextSection title="Instructions" text={attributes[ATTR.systemInstructions]} />
      {answer === undefined && prompt === undefined && (
        <p class="muted">What was asked and answered was not sent along.</p>
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
