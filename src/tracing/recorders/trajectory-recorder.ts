import type { HrTime } from '@opentelemetry/api'
import {
  ERAS,
  isTaskDone,
  readTaskParams,
  type Run,
  stateOfEnded,
  stepDraft,
  stepErrors,
} from '../../mapping/dialects/trajectory/index.js'
import { type JsonObject, member, stringOf } from '../../mapping/json/index.js'
import { countDrop } from '../drops.js'
import type { LiveAgent } from '../live-agent.js'
import type { LivePlan } from '../live-plan.js'
import { countUnknownOptions } from '../option-names.js'
import { openPlan } from '../plan.js'
import { readOption, readText } from '../read-option.js'
import { activeContext } from '../scope.js'
import { jsonNodeOf, recordSafely } from './record-safely.js'
import { RecordedClock } from './recorded-clock.js'
import { writeRecorded } from './recorded-values.js'
import { recordStep } from './trajectory-step.js'

/** How a trajectory is recorded. */
export interface TrajectoryRecorderOptions {
  /**
   * The task, in the format of SafePred's `task_metadata`: `task_id`, `task_instruction`, `task_params`, `injection`,
   * `jailbreak`.
   */
  task?: unknown
  /** Unique over all plans. @default `plan-` and a random UUID */
  planId?: string | undefined
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof TrajectoryRecorderOptions>(['task', 'planId'])

// Only differences between a step's local times matter, and they are the same in any zone.
const TIME_ZONE = 'UTC'

/** Records the steps of one run of SafePred. Never throws; unreadable input counts as dropped. */
export interface TrajectoryRecorder {
  /** The id under which the plan's record is found. */
  readonly planId: string
  /** Records a step that has just ended, in the format of execution_trajectory.json. */
  step(step: unknown): void
  /** Ends the run, as failed if its last action gave up the task. */
  end(): void
  /** Ends the run with an error. */
  fail(error: unknown): void
}

class RunRecorder implements TrajectoryRecorder {
  readonly #clock = new RecordedClock()
  readonly #plan: LivePlan
  readonly #agent: LiveAgent
  readonly #actionSpace: string | undefined
  #last: JsonObject | undefined
  #lastEnd: HrTime
  #count = 0
  #ended = false

  constructor(options?: TrajectoryRecorderOptions) {
    countUnknownOptions('createTrajectoryRecorder()', options, OPTION_NAMES)
    const given = readOption(options, 'task')
    const task = given === undefined ? undefined : jsonNodeOf(given, 'a task')
    // A flat document has the task's keys among its own.
    const { plan, parts } = ERAS.flat.objects.document.read(task)
    const { model, taskParams } = readTaskParams(parts.task_params)
    this.#actionSpace = stringOf(member(parts.task_params, 'action_space'))
    this.#plan = openPlan({ planId: readText(options, 'planId') }, activeContext(), this.#clock)
    writeRecorded(this.#plan, 'plan', { ...plan, taskParams })
    this.#agent = this.#plan.startAgent({ modelName: model })
    this.#lastEnd = this.#clock.now()
  }

  get planId(): string {
    return this.#plan.planId
  }

  step(step: unknown): void {
    recordSafely('a step of a trajectory', () => {
      const node = jsonNodeOf(step, 'a step')
      if (this.#ended || node?.kind !== 'object') {
        countDrop('event', 'a step of a trajectory')
        return
      }
      const context = { actionSpace: this.#actionSpace, timeZone: TIME_ZONE }
      const draft = stepDraft(node, this.#count++, context)
      const errors = stepErrors(member(node, 'errors'), TIME_ZONE)
      this.#lastEnd = recordStep(this.#agent, this.#clock, { draft, errors }, this.#lastEnd)
      this.#last = node
    })
  }

  end(): void {
    recordSafely('the end of a trajectory', () => {
      const run: Run = { steps: this.#last ? [[this.#last, this.#count]] : [] }
      if (isTaskDone(run) && stateOfEnded(run) === 'failed') this.fail(undefined)
      this.#agent.end()
      this.#plan.end()
      this.#ended = true
    })
  }

  fail(error: unknown): void {
    this.#agent.fail(error)
    this.#plan.fail(error)
    this.#ended = true
  }
}

/**
 * Creates a recorder for one run of a task by SafePred.
 *
 * @example
 * const recorder = createTrajectoryRecorder({ task })
 * for await (const step of steps) recorder.step(step)
 * recorder.end()
 */
export const createTrajectoryRecorder = (options?: TrajectoryRecorderOptions): TrajectoryRecorder =>
  new RunRecorder(options)
