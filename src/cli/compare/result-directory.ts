import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { PlanspanError } from '../../error.js'
import { planTotals, planTree, setTotals, toStoredSpan, type SetMember } from '../../mapping/index.js'
import { openInputs } from '../records/input.js'
import { readRecords } from '../records/read-records.js'
import { note } from '../output/terminal.js'
import { pathLabels, type Label, type Labels } from './result-labels.js'
import type { ComparedSet } from './set-table.js'

/** The files that tell what an agent did in a task, the one that tells more first, and the one with the score. */
const TRAJECTORIES = ['execution_trajectory.json', 'traj.jsonl']
const SCORE = 'result.txt'

/**
 * The results of a benchmark below a directory, as sets by what their paths say. The records are read where they lie:
 * their labels and scores stand beside them and in no record, and may change after an import.
 */
export async function setsOfDirectory(directory: string, by: readonly Label[]): Promise<ComparedSet[]> {
  const sets = new Map<string, { readonly labels: Partial<Labels>; readonly members: SetMember[] }>()
  for (const [folder, file] of await trajectoriesBelow(resolve(directory))) {
    const member = await memberOf(folder, file)
    if (!member) continue
    const all = pathLabels(folder)
    const labels = Object.fromEntries(by.map((label) => [label, all[label]]))
    const name = by.map((label) => `${label}=${all[label]}`).join('&')
    const set = sets.get(name)
    if (set) set.members.push(member)
    else sets.set(name, { labels, members: [member] })
  }
  return [...sets].map(([set, { labels, members }]) => ({ set, labels, isWhole: true, ...setTotals(members) }))
}

/** The folders with results, in order of their paths, and of each its trajectory. */
async function trajectoriesBelow(directory: string): Promise<[folder: string, file: string][]> {
  const found = new Map<string, string>()
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PlanspanError('usage', `${directory} cannot be read: ${reason}.`, { cause })
  })
  for (const name of TRAJECTORIES) {
    for (const entry of entries) {
      if (entry.isFile() && entry.name === name && !found.has(entry.parentPath)) found.set(entry.parentPath, name)
    }
  }
  if (found.size === 0) {
    throw new PlanspanError('usage', `There is no ${TRAJECTORIES.join(' or ')} below ${directory}.`)
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** What counts of a result; undefined where its record cannot be read, which is said. */
async function memberOf(folder: string, file: string): Promise<SetMember | undefined> {
  const path = join(folder, file)
  for (const input of openInputs([path])) {
    for await (const found of readRecords(input.chunks(), { format: 'auto' })) {
      if ('error' in found) {
        note(`${path}: left out: ${found.error.message}`)
        continue
      }
      const tree = planTree(found.record.spans.map(toStoredSpan))
      const score = await scoreIn(folder)
      if (tree) return { ...planTotals(tree), ...(score === undefined ? {} : { score }) }
    }
  }
  return undefined
}

/** The score of a result; undefined where the task did not come to one. */
async function scoreIn(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, SCORE), 'utf8').catch(() => '')
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
}
