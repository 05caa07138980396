import type { Turn } from './story.js'

/** A turn as the response of Gemini's API. */
export const geminiContent = ({ text, calls, tokens }: Turn) => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          ...(text === '' ? [] : [{ text }]),
          ...calls.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args } })),
        ],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: tokens?.input,
    cachedContentTokenCount: tokens?.cached,
    candidatesTokenCount: tokens?.output,
    totalTokenCount: (tokens?.input ?? 0) + (tokens?.output ?? 0),
  },
  modelVersion: 'made-up',
})

/** The same response as one server-sent event. */
export const geminiEvents = (turn: Turn): string[] => [`data: ${JSON.stringify(geminiContent(turn))}\n\n`]
