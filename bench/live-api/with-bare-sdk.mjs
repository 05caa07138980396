import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AGENTS, ARGUMENTS, CYCLES, RESULT, STEPS, TEXT, TOOLS, USAGE } from './workload.mjs'

/** @type {(role: string, content: string) => string} */
const message = (role, content) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])

const AGENT = { 'gen_ai.agent.name': 'researcher' }

/**
 * The same spans with the same attributes, by hand.
 *
 * @param {string} planId
 * @param {() => unknown} [pause] What each call waits for.
 * @returns {Promise<void>}
 */
export function runPlan(planId, pause) {
  const tracer = trace.getTracer('planspan')
  /** @type {(kind: string, operation: string) => import('@opentelemetry/api').Attributes} */
  const common = (kind, operation) => ({
    'planspan.span.kind': kind,
    'gen_ai.operation.name': operation,
    'planspan.schema.version': 1,
    'planspan.plan.id': planId,
    'planspan.plan.root_id': planId,
    'gen_ai.conversation.id': 'conv',
  })
  /**
   * @type {(name: string, options: import('@opentelemetry/api').SpanOptions, work: (span:
   * import('@opentelemetry/api').Span) => Promise<void>) => Promise<void>}
   */
  const within = (name, options, work) =>
    tracer.startActiveSpan(name, options, async (span) => {
      try {
        return await work(span)
      } catch (error) {
        span.recordException(String(error))
        span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) })
        throw error
      } finally {
        span.end()
      }
    })
  /** @type {(seq: number, agent?: import('@opentelemetry/api').Attributes) => Promise<void>} */
  const model = (seq, agent) => {
    const attributes = {
      ...common('llm', 'chat'),
      ...agent,
      'planspan.seq': seq,
      'gen_ai.request.model': 'model-1',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.input.messages': message('user', TEXT),
      'planspan.think.input_char_count': TEXT.length,
    }
    return within('chat model-1', { kind: SpanKind.CLIENT, attributes }, async (span) => {
      await pause?.()
      span.setAttribute('gen_ai.output.messages', message('assistant', TEXT))
      span.setAttribute('planspan.think.output_char_count', TEXT.length)
      span.setAttribute('gen_ai.usage.input_tokens', USAGE.input)
      span.setAttribute('gen_ai.usage.output_tokens', USAGE.output)
      span.setAttribute('gen_ai.usage.cache_read.input_tokens', USAGE.cacheRead)
      span.setAttribute('gen_ai.usage.reasoning.output_tokens', USAGE.reasoning)
    })
  }
  /** @type {(seq: number) => Promise<void>} */
  const tool = (seq) => {
    const attributes = {
      ...common('tool', 'execute_tool'),
      ...AGENT,
      'planspan.seq': seq,
      'gen_ai.tool.name': 'browse',
      'gen_ai.tool.call.id': `call-${seq}`,
      'gen_ai.tool.call.arguments': JSON.stringify(ARGUMENTS),
    }
    return within('execute_tool browse', { attributes }, async (span) => {
      await pause?.()
      span.setAttribute('gen_ai.tool.call.result', JSON.stringify(RESULT))
    })
  }
  /** @type {(seq: number) => Promise<void>} */
  const cycle = (seq) => {
    const attributes = {
      ...common('think_act', 'agent_step'),
      ...AGENT,
      'planspan.seq': seq,
      'planspan.step.index': seq,
    }
    return within('agent_step researcher', { attributes }, async (span) => {
      await model(0, AGENT)
      for (let at = 0; at < TOOLS; at++) await tool(at)
      span.setAttribute('planspan.state', 'completed')
      span.setAttribute('planspan.children.llm', 1)
      span.setAttribute('planspan.children.tool', TOOLS)
    })
  }
  /** @type {(seq: number) => Promise<void>} */
  const agent = (seq) => {
    const attributes = {
      ...common('agent', 'invoke_agent'),
      'planspan.seq': seq,
      'gen_ai.agent.name': 'researcher',
      'planspan.step.id': `step-${seq}`,
      'planspan.step.index': seq,
      'gen_ai.input.messages': message('user', TEXT),
    }
    return within('invoke_agent researcher', { attributes }, async (span) => {
      for (let at = 0; at < CYCLES; at++) await cycle(at)
      span.setAttribute('gen_ai.output.messages', message('assistant', TEXT))
      span.setAttribute('planspan.agent.completed', true)
      span.setAttribute('planspan.agent.current_step', CYCLES)
      span.setAttribute('planspan.state', 'completed')
      span.setAttribute('planspan.children.think_act', CYCLES)
    })
  }
  const attributes = {
    ...common('plan', 'invoke_workflow'),
    'gen_ai.agent.name': 'trip',
    'planspan.plan.title': 'A trip',
    'gen_ai.input.messages': message('user', TEXT),
  }
  return within('invoke_workflow trip', { attributes }, async (span) => {
    const planning = { ...common('planning', 'plan'), 'planspan.seq': 0, 'gen_ai.agent.name': 'planner' }
    await within('plan planner', { attributes: planning }, async (inner) => {
      await model(0)
      span.setAttribute('planspan.plan.steps', STEPS)
      span.setAttribute('planspan.plan.revision', 1)
      span.addEvent('planspan.plan.created', { 'planspan.plan.revision': 1 })
      inner.setAttribute('planspan.plan.steps', STEPS)
      inner.setAttribute('planspan.plan.revision', 1)
      inner.setAttribute('planspan.children.llm', 1)
    })
    for (let at = 0; at < AGENTS; at++) {
      span.setAttribute('planspan.plan.current_step_index', at)
      await agent(at)
    }
    const calls = 1 + AGENTS * CYCLES
    span.setAttribute('planspan.plan.summary', TEXT)
    span.setAttribute('planspan.plan.completed', true)
    span.setAttribute('planspan.usage.input_tokens', calls * USAGE.input)
    span.setAttribute('planspan.usage.output_tokens', calls * USAGE.output)
    span.setAttribute('planspan.usage.total_tokens', calls * (USAGE.input + USAGE.output))
    span.setAttribute('planspan.state', 'completed')
    span.setAttribute('planspan.children.planning', 1)
    span.setAttribute('planspan.children.agent', AGENTS)
  })
}
