import { instructionsOf, messagesOf, type Speaker } from '../semconv/index.js'
import { jsonText, type JsonText } from './json-text.js'

/** The JSON text of chat messages in the form of the GenAI conventions; undefined for what is none. */
export function messagesText(value: unknown, speaker: Speaker): JsonText | undefined {
  const messages = messagesOf(value, speaker)
  return messages && jsonText(messages)
}

/** The JSON text of system instructions in that form. */
export const instructionsText = (value: unknown): JsonText => jsonText(instructionsOf(value))
