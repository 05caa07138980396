// Records a run of Lynxe with the hooks of Lynxe's recorder, including a sub-plan below a tool call.
// node examples/lynxe-recorder.mjs   # sends to OTEL_EXPORTER_OTLP_ENDPOINT, else http://127.0.0.1:4318
import { randomUUID } from 'node:crypto'
import { createLynxeRecorder, register } from '@planspan/sdk'

const tracing = await register({ serviceName: 'lynxe' })
const recorder = createLynxeRecorder()
const planId = `plan-${Date.now()}`
const subPlanId = `sub${planId}`
const step = { stepId: `step-${randomUUID()}`, stepIndex: 0, stepRequirement: '[WRITER] write about cats' }
const subStep = { stepId: `step-${randomUUID()}`, stepIndex: 0, stepRequirement: '[SCOUT] find facts' }
const call = { name: 'find-facts', parameters: '{"topic": "cats"}', toolCallId: `toolcall-${randomUUID()}` }

recorder.recordPlanExecutionStart(planId, 'Cats', 'Write about cats', [step], null, planId, null)
recorder.recordStepStart(step, planId)
recorder.recordThinkingAndAction(step, { thinkInput: 'Cats?', thinkOutput: 'Facts first.', actToolInfoList: [call] })

recorder.recordPlanExecutionStart(subPlanId, 'Facts', 'Facts', [subStep], planId, planId, call.toolCallId)
recorder.recordStepStart(subStep, subPlanId)
recorder.recordCompleteAgentExecution(subStep)
recorder.recordStepEnd(subStep, subPlanId)
recorder.recordPlanCompletion(subPlanId, 'They purr.')

recorder.recordActionResult([{ ...call, result: '{"output":"They purr."}' }])
recorder.recordCompleteAgentExecution(step)
recorder.recordStepEnd(step, planId)
recorder.recordPlanCompletion(planId, 'An article about cats that purr.')

await tracing.shutdown()
console.log(`planspan show ${planId}`)
