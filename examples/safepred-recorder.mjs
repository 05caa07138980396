// Records a run of SafePred step by step: the model's answer, the verdicts of guardrail and world model, the actions.
// node examples/safepred-recorder.mjs   # sends to OTEL_EXPORTER_OTLP_ENDPOINT, else http://127.0.0.1:4318
import { createTrajectoryRecorder, register } from '@planspan/sdk'

const tracing = await register({ serviceName: 'safepred' })
const recorder = createTrajectoryRecorder({
  task: {
    task_id: 'bookmarks',
    task_instruction: 'Make a folder on the bookmarks bar',
    task_params: { model: 'gpt-4o', action_space: 'pyautogui' },
  },
})
const prediction = { semantic_delta: 'A dialog opens.', violated_policy_ids: [], risk_score: 0.0 }

for (const [index, action] of ['pyautogui.click(1812, 127)', 'DONE'].entries()) {
  const done = action === 'DONE'
  recorder.step({
    step_idx: index,
    response: `Next: ${action}`,
    actions: [action],
    safety_info: {
      action_0: { risk_score: 0.0, risk_explanation: '', is_safe: true, world_model_output: prediction },
    },
    token_usage: { model: 'gpt-4o', prompt_tokens: 4211, completion_tokens: 190, total_tokens: 4401 },
    world_model_token_usage: { model: 'qwen3-32b', prompt_tokens: 512, completion_tokens: 31, total_tokens: 543 },
    action_results: [{ action, reward: 0, done, info: done ? { done } : {} }],
  })
}
recorder.end()

await tracing.shutdown()
console.log(`planspan show ${recorder.planId}`)
