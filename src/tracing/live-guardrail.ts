import type { Link } from '@opentelemetry/api'
import { ATTR, EVENTS, evaluationFields, guardrailFields, LINK_TYPES } from '../semconv/index.js'
import type { GuardrailOptions, GuardrailSpan, ProposedAction, Risk } from './handles/guardrail-span.js'
import type { ModelOptions, ModelSpan } from './handles/model-span.js'
import { liveFields } from './live-fields.js'
import { LiveModel } from './live-model.js'
import { LiveSpan } from './live-span.js'
import { readOption, readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'

const FIELDS = liveFields(guardrailFields, ['action', 'worldModel'])

const ACTION_NAMES: ReadonlySet<string> = new Set<keyof ProposedAction>(['name', 'callId', 'arguments'])

/** One risk assessment (`run_guardrail`). */
export class LiveGuardrail extends LiveSpan implements GuardrailSpan {
  /** Made by `guardrail` and `startGuardrail` of the span above. */
  constructor(parent: LiveSpan, options?: GuardrailOptions) {
    const subject = readText(options, 'name')
    const action = readOption(options, 'action')
    const values = {
      actionName: readOption(action, 'name'),
      actionCallId: readOption(action, 'callId'),
      actionArguments: readOption(action, 'arguments'),
    }
    super({ role: 'guardrail', fields: FIELDS, parent, subject, subjectField: 'name', options, values })
    this.check('the action of a guardrail', action, ACTION_NAMES)
  }

  risk(risk: Risk): void {
    this.write(risk)
    this.write(readOption(risk, 'worldModel'))
    const given = readOption(risk, 'score')
    const score =
      typeof given === 'number' ? (evaluationFields.scoreValue.encode(given) as number | undefined) : undefined
    const isSafe = readOption(risk, 'isSafe')
    const explanation = this.contentText(ATTR.evaluationExplanation, readOption(risk, 'explanation'))
    this.eventAbove(EVENTS.evaluation, {
      [ATTR.evaluationName]: 'risk',
      ...(score !== undefined && { [ATTR.evaluationScoreValue]: score }),
      ...(typeof isSafe === 'boolean' && { [ATTR.evaluationScoreLabel]: isSafe ? 'safe' : 'unsafe' }),
      ...(explanation !== undefined && { [ATTR.evaluationExplanation]: explanation }),
    })
  }

  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T {
    return runInSpan((given?: ModelOptions) => this.startModel(given), options, fn)
  }

  startModel(options?: ModelOptions): LiveModel {
    return new LiveModel(this, options)
  }

  /** The link to this guardrail; the tool call's span holds it because it starts later. */
  guardsLink(): Link | undefined {
    return this.linkTo(LINK_TYPES.guards)
  }
}
