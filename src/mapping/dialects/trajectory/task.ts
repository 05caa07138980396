import {
  jsonString,
  member,
  stringOf,
  type JsonNode,
  type JsonObject,
  tryParseJson,
  bare,
  compactJson,
} from '../../json/index.js'

/** The settings of a run. The model is stored on the agent's span, the others as JSON text on the plan's. */
export interface TaskParams {
  readonly model?: string
  readonly taskParams?: string
}

export function readTaskParams(params: JsonNode | undefined): TaskParams {
  if (params?.kind !== 'object') return {}
  const model = stringOf(member(params, 'model'))
  if (model === undefined) return { taskParams: compactJson(params) }
  const at = params.members.findIndex(({ key }) => key.value === 'model')
  return {
    model,
    taskParams: compactJson({ kind: 'object', members: params.members.filter((_, index) => index !== at) }),
  }
}

/** Writes the settings. The key of the model follows that of the platform. */
export function writeTaskParams(taskParams: string | undefined, model: string | undefined): JsonObject | undefined {
  const parsed = taskParams === undefined ? undefined : tryParseJson(taskParams)
  const params = parsed && bare(parsed)
  const members = params?.kind === 'object' ? [...params.members] : []
  if (model !== undefined) {
    const at = members.findIndex(({ key }) => key.value === 'platform') + 1
    members.splice(at, 0, { key: jsonString('model'), value: jsonString(model) })
  }
  return params || members.length > 0 ? { kind: 'object', members } : undefined
}
