import { attributeText, type AnyValue } from '../../src/otlp/attribute-text.js'

/** A JSON request as the store keeps it: attributes as text, and no flags. */
export const storedRequest = (body: Uint8Array): unknown =>
  JSON.parse(Buffer.from(body).toString(), (key, part: unknown) => {
    if (key === 'value') return attributeText(Object.values(part as Record<string, AnyValue>)[0] ?? null)
    return key === 'flags' ? undefined : part
  })
