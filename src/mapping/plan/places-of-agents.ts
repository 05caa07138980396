import { agentFields, decodeFields } from '../../semconv/index.js'
import type { SpanNode } from '../tree/index.js'
import { latestSteps, type PlanStep } from './plan-steps.js'
import { listedVersions } from './plan-versions.js'
import { nextPlaces } from './step-changes.js'

/**
 * Where an agent's step is in the latest version of its plan: its position from 0, or `dropped`. Undefined for an agent
 * without a step.
 */
export type StepPlace = number | 'dropped' | undefined

/**
 * Returns a function that finds the places of a plan's agents. An agent records the position of its step in the version
 * that it worked on; later versions may move or drop the step.
 */
export function placesOfAgents(plan: SpanNode): (agent: SpanNode) => StepPlace {
  const versions = listedVersions(plan).flatMap(({ steps, time }) => (steps ? [{ steps, time }] : []))
  if (versions.length === 0) return recordedPlace
  let later: readonly PlanStep[] = latestSteps(plan)
  let places: (number | undefined)[] = later.map((_, at) => at)
  const latestPlaces = versions.toReversed().map(({ steps, time }) => {
    places = nextPlaces(steps, later).map((place) => (place === undefined ? undefined : places[place]))
    later = steps
    return { time, places }
  })
  return (agent) => {
    const place = recordedPlace(agent)
    const { startTimeUnixNano: start } = agent.span
    const version = latestPlaces.find(({ time }) => time <= start) ?? latestPlaces.at(-1)
    return place === undefined || !version || !(place in version.places) ? place : (version.places[place] ?? 'dropped')
  }
}

const RECORDED = { stepIndex: agentFields.stepIndex }

const recordedPlace = ({ span }: SpanNode): number | undefined => decodeFields(RECORDED, span.attributes).stepIndex
