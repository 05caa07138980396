import { readFileSync, writeFileSync } from 'node:fs'

import type { Judgement } from './fields.js'
import { answeredBy, STORIES, type Story, withPrefix } from './story.js'

/** The fields of a story's records that are not right. */
export interface Result {
  /** The instrumentation does not send these. */
  readonly notSent?: readonly string[]
  /** The records have other values than the story: faults of planspan or of the instrumentation. */
  readonly wrong?: readonly string[]
}

/** A framework with one instrumentation. */
export interface Run {
  readonly framework: string
  /** The instrumentation or the model API; a runner may support several variants. */
  readonly variant: string
  readonly stories: readonly string[]
}

interface Framework {
  /** The tool by which the framework's agents answer, if they need one. */
  readonly answersBy?: string
  /** What the framework puts before the names of tools. */
  readonly prefix?: string
  /** The name and the source of spans, by variant, as docs/frameworks.md shows them. */
  readonly title: string
  readonly language: string
  readonly variants: Readonly<Record<string, { readonly title: string; readonly stories: Record<string, Result> }>>
}

const FILE = new URL('results.json', import.meta.url)

/** The results that are known, by framework. docs/frameworks.md is generated from them. */
export const RESULTS = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, Framework>>

export const RUNS: readonly Run[] = Object.entries(RESULTS).flatMap(([framework, { variants }]) =>
  Object.entries(variants).map(([variant, { stories }]) => ({ framework, variant, stories: Object.keys(stories) })),
)

/** The story as the framework plays it. */
export function storyOf({ framework }: Run, story: string): Story {
  const { answersBy, prefix = '' } = RESULTS[framework]!
  const told = withPrefix(prefix, STORIES[story]!)
  return answersBy === undefined ? told : answeredBy(answersBy, told)
}

export const resultOf = ({ framework, variant }: Run, story: string): Result =>
  RESULTS[framework]!.variants[variant]!.stories[story]!

/**
 * The result of a comparison. A value that is different in a field that is declared as not sent remains not sent: the
 * declaration says that no span has the value.
 */
export function resultFrom(judgements: Readonly<Record<string, Judgement>>, known: Result): Result {
  const declared = new Set(known.notSent)
  const isNotSent = (field: string) => judgements[field] === 'not sent' || declared.has(field)
  const others = Object.keys(judgements).filter((field) => judgements[field] !== 'right')
  const notSent = others.filter(isNotSent)
  const wrong = others.filter((field) => !isNotSent(field))
  return { ...(notSent.length > 0 && { notSent }), ...(wrong.length > 0 && { wrong }) }
}

/** Writes a result into the file, instead of the known one. */
export function writeResult({ framework, variant }: Run, story: string, result: Result): void {
  RESULTS[framework]!.variants[variant]!.stories[story] = result
  writeFileSync(FILE, `${JSON.stringify(RESULTS, null, 2)}\n`)
}
