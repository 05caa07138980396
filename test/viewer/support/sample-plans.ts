import { generatePlans } from '../../../src/generate/index.js'
import type { Viewer } from './viewer.js'

/** Sends generated plans of all systems, from the days before a fixed day in spring. */
export async function sendSamplePlans(viewer: Viewer, plans: number): Promise<void> {
  const until = Date.UTC(2026, 2, 4, 12)
  const spans = [...generatePlans({ plans, days: 3, seed: 'viewer', until })].flatMap((plan) => plan.spans)
  for (let at = 0; at < spans.length; at += 2000) await viewer.send(spans.slice(at, at + 2000))
}
