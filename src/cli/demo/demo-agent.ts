import { setImmediate } from 'node:timers/promises'
import { plan, type AgentSpan, type CycleSpan, type PlanSpan, type Usage } from '@planspan/sdk'
import { BOOKER, HOTELS, MESSAGES, PLANNING, RESEARCHER, REVIEW, TRIP } from './demo-script.js'

/**
 * Runs the demo's sample agent, instrumented with the public API: it plans a trip, has it reviewed, compares, books.
 */
export async function runDemoAgent(): Promise<{ planId: string }> {
  const { workflow, title, request, conversationId, modelName } = TRIP
  return plan({ workflow, title, request, conversationId, modelName }, async (p) => {
    await makePlan(p)
    const { name, description, stepId, maxSteps } = RESEARCHER
    await p.agent({ name, description, stepId, maxSteps, step: 0, request: RESEARCHER.request, modelName }, research)
    p.message(MESSAGES.progress)
    const booking = { name: BOOKER.name, description: BOOKER.description, stepId: BOOKER.stepId }
    await p.agent({ ...booking, step: 1, request: BOOKER.request, modelName }, book)
    p.summary(TRIP.summary)
    p.result(TRIP.result)
    return { planId: p.planId }
  })
}

async function makePlan(p: PlanSpan): Promise<void> {
  const { planner, reason } = PLANNING
  await p.planning({ planner }, async (s) => {
    await s.model({ model: TRIP.modelName, provider: RESEARCHER.provider, input: PLANNING.prompt }, async (m) => {
      m.output(await answered(PLANNING.answer))
      m.usage(PLANNING.usage)
    })
    s.steps(PLANNING.firstSteps)
  })
  const { title, formDescription, formInputs, actor } = REVIEW
  await p.wait({ reason: 'plan_review', title, formDescription, formInputs }, async (w) =>
    w.review(await answered(REVIEW.change), actor),
  )
  await p.planning({ planner, reason }, async (s) => s.steps(await answered(PLANNING.finalSteps)))
  await p.wait({ reason: 'plan_review', title, formDescription, formInputs }, async (w) =>
    w.review(await answered(REVIEW.accept), actor),
  )
}

async function research(a: AgentSpan): Promise<void> {
  const { search, delegate, fares, thought, usage, secondThought, secondUsage } = RESEARCHER
  await a.cycle(async (c) => {
    await think(c, RESEARCHER.request, thought, usage)
    c.set({ actionNeeded: true, actionDescription: `Call ${search.name}` })
    await c.tool(search, () => answered(fares))
    c.set({ actionResult: JSON.stringify(fares) })
  })
  await a.cycle(async (c) => {
    await think(c, JSON.stringify(fares), secondThought, secondUsage)
    c.set({ actionNeeded: true, actionDescription: `Call ${delegate.name}` })
    await c.tool(delegate, compareHotels)
    c.set({ actionResult: HOTELS.summary })
  })
  a.result(RESEARCHER.result)
}

/** A sub-plan, started inside a tool call. */
async function compareHotels(): Promise<string> {
  const { workflow, title, request, steps, agent, stepId, tool, usage } = HOTELS
  return plan({ workflow, title, request, steps }, async (p) => {
    await p.agent({ name: agent, stepId, step: 0, request }, (a) =>
      a.cycle(async (c) => {
        await think(c, request, HOTELS.thought, usage)
        await c.tool(tool, () => answered(HOTELS.listed))
      }),
    )
    p.summary(HOTELS.summary)
    return HOTELS.summary
  })
}

async function book(a: AgentSpan): Promise<void> {
  const { guardrail, guardrailUsage, risk, usage, firstCallId, secondCallId, failure, booked } = BOOKER
  await a.cycle(async (c) => {
    await think(c, BOOKER.request, BOOKER.thought, usage)
    const guardedBy = await c.guardrail({ name: guardrail }, async (g) => {
      await g.model({ model: TRIP.modelName, usageSource: 'world_model' }, async (m) => m.usage(guardrailUsage))
      g.risk(risk)
      return g
    })
    c.set({ actionNeeded: true, actionDescription: 'Book the hotel, again if the service fails' })
    try {
      await c.tool({ ...BOOKER.book, callId: firstCallId, guardedBy }, () => refused(failure))
    } catch {
      await c.tool({ ...BOOKER.book, callId: secondCallId, guardedBy }, () => answered(booked))
    }
    c.set({ actionResult: JSON.stringify(booked) })
  })
  a.result(BOOKER.result)
}

async function think(c: CycleSpan, input: string, output: string, usage: Usage): Promise<void> {
  await c.model({ model: TRIP.modelName, provider: RESEARCHER.provider, input }, async (m) => {
    m.output(await answered(output))
    m.usage(usage)
  })
}

/** Returns the answer of a model, a tool or a person after a real await. */
async function answered<T>(answer: T): Promise<T> {
  await setImmediate()
  return answer
}

async function refused(why: string): Promise<never> {
  await setImmediate()
  throw new BookingError(why)
}

class BookingError extends Error {
  override readonly name = 'BookingError'
}
