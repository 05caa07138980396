import type { TraceFacts } from '../mapping/index.js'
import { ATTR } from '../semconv/index.js'

/** Returns the names of the models that the model calls of a trace request or name in their response. */
export function usedModels({ spans }: Pick<TraceFacts, 'spans'>): ReadonlySet<string> {
  const models = new Set<string>()
  for (const { node } of spans) {
    if (node.role !== 'llm') continue
    for (const key of [ATTR.requestModel, ATTR.responseModel]) {
      const model = node.span.attributes[key]
      if (model) models.add(model)
    }
  }
  return models
}
