import { sep } from 'node:path'

import { PlanspanError } from '../../error.js'

/** The labels in the path of a benchmark's result. */
export const LABELS = ['action_space', 'observation', 'model', 'domain', 'task', 'injection'] as const
export type Label = (typeof LABELS)[number]
export type Labels = Readonly<Record<Label, string>>

/** Parses labels separated by commas. Throws `usage` for an unknown label. */
export function labelsOf(text: string): Label[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !LABELS.some((label) => label === name))
  if (unknown !== undefined) {
    throw new PlanspanError('usage', `--by takes labels of ${LABELS.join(', ')}, not ${JSON.stringify(unknown)}.`)
  }
  return LABELS.filter((label) => names.includes(label))
}

const INJECTION = '__inject__'

/**
 * Reads the labels in the path of a result's directory, by the convention of OSWorld and its descendants:
 * `…/ACTION_SPACE/OBSERVATION/MODEL/DOMAIN/TASK`, where a task's name may end with `__inject__` and the injection.
 */
export function pathLabels(directory: string): Labels {
  const [name = '', domain = '', model = '', observation = '', actionSpace = ''] = directory.split(sep).reverse()
  const [task = '', injection = 'none'] = name.split(INJECTION)
  return { action_space: actionSpace, observation, model, domain, task, injection }
}
