import type { Link } from '@opentelemetry/api'
import { ATTR, EVENTS, guardrailFields, LINK_TYPES } from '../semconv/index.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { ModelSpan, type ModelOptions } from './model-span.js'
import { readOption, readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'

const FIELDS = liveFields(guardrailFields)

export interface GuardrailOptions {
  /** The guardrail, for example `world_model`. */
  name?: string | undefined
}

/** What a guardrail found. */
export interface Risk {
  /** From 0 (none) to 1. */
  score?: number | undefined
  /** Whether the guardrail lets the action pass. */
  isSafe?: boolean | undefined
  /** The ids of the policies that the action violates. */
  policies?: readonly string[] | undefined
  /** Why the guardrail decides so. */
  explanation?: string | undefined
  /** What the world model predicts. */
  worldModel?: WorldModel | undefined
}

/** A world model's prediction of an action. */
export interface WorldModel {
  semanticDelta?: string | undefined
  /** Elements that would appear or vanish, any JSON data. */
  elementChanges?: unknown
  longTermImpact?: string | undefined
  optimizationGuidance?: string | undefined
}

/** One risk assessment (`run_guardrail`). */
export class GuardrailSpan extends LiveSpan {
  /** Made by `guardrail` and `startGuardrail` of the span above. */
  constructor(parent: LiveSpan, options?: GuardrailOptions) {
    const subject = readText(options, 'name')
    super({ role: 'guardrail', fields: FIELDS, parent, subject, subjectField: 'name', options })
  }

  /** What the guardrail found; also an event `gen_ai.evaluation.result`. */
  risk(risk: Risk): void {
    this.write(risk)
    this.write(readOption(risk, 'worldModel'))
    const score = readOption(risk, 'score')
    const isSafe = readOption(risk, 'isSafe')
    const explanation = this.contentText(ATTR.evaluationExplanation, readOption(risk, 'explanation'))
    this.event(EVENTS.evaluation, {
      [ATTR.evaluationName]: 'risk',
      ...(typeof score === 'number' && {
        [ATTR.evaluationScoreValue]: guardrailFields.score.encode(score) as number | string,
      }),
      ...(typeof isSafe === 'boolean' && { [ATTR.evaluationScoreLabel]: isSafe ? 'safe' : 'unsafe' }),
      ...(explanation !== undefined && { [ATTR.evaluationExplanation]: explanation }),
    })
  }

  /** The guardrail's own model call. */
  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T {
    return runInSpan(this.startModel(options), fn)
  }

  startModel(options?: ModelOptions): ModelSpan {
    return new ModelSpan(this, options)
  }

  /** The link from a guarded tool call. A guardrail runs before the call, so the call's span has to hold it. */
  guardsLink(): Link | undefined {
    return this.linkTo(LINK_TYPES.guards)
  }
}
