/** The texts and actions of the demo's agents. A test looks for each of these values in the rebuilt record. */

export const TRIP = {
  workflow: 'trip',
  title: 'A weekend in Lisbon',
  request: 'Plan a weekend in Lisbon for two in May, under 900 euros, and book the hotel.',
  conversationId: 'conv-demo-1',
  modelName: 'claude-sonnet-4-5',
  summary: 'Flights for 312 euros, Hotel Alfama for 280 euros, two days planned; 308 euros are left.',
  result: { flights: 312, hotel: 280, currency: 'EUR', nights: 2 },
} as const

export const PLANNING = {
  planner: 'trip-planner',
  firstSteps: ['Find flights', 'Find a hotel', 'Book everything'],
  finalSteps: ['[researcher] Compare flights and hotels', '[booker] Book the hotel'],
  reason: 'The reviewer wants the hotel booked only after a comparison.',
  prompt: 'Break the request into steps, one agent each.',
  answer: '1. Find flights 2. Find a hotel 3. Book everything',
  usage: { input: 1_850, output: 240, cacheRead: 1_200, cacheWrite: 400, reasoning: 96 },
} as const

export const REVIEW = {
  title: 'Is this plan all right?',
  formDescription: 'Accept the plan, or say what should change.',
  formInputs: [{ label: 'decision', type: 'select', options: ['accept', 'change'] }],
  actor: 'reviewer',
  change: { action: 'REQUEST_CHANGES', feedback: 'Compare before you book.' },
  accept: { action: 'ACCEPT_PLAN', feedback: 'Go ahead.' },
} as const

export const RESEARCHER = {
  name: 'researcher',
  description: 'Searches the web and compares offers.',
  stepId: 'step-demo-research',
  request: 'Compare flights and hotels for a weekend in May.',
  result: 'TAP for 312 euros; Hotel Alfama, 140 euros a night, near the castle.',
  maxSteps: 5,
  provider: 'anthropic',
  thought: 'The fare page comes first, then hotels.',
  usage: { input: 2_600, output: 180, cacheRead: 1_800 },
  search: { callId: 'call-demo-fares', name: 'search_fares', arguments: { from: 'BER', to: 'LIS', month: '2026-05' } },
  fares: [{ airline: 'TAP', price: 312 }],
  delegate: { callId: 'call-demo-hotels', name: 'compare_hotels', arguments: { city: 'Lisbon', nights: 2 } },
  secondThought: 'TAP is the cheapest; the hotels are a plan of their own.',
  secondUsage: { input: 3_100, output: 95, cacheRead: 2_600 },
} as const

export const HOTELS = {
  workflow: 'hotel-comparison',
  title: 'Hotels in Lisbon',
  request: 'Find the best hotel below 150 euros a night.',
  steps: ['List hotels', 'Rank them'],
  agent: 'hotel-scout',
  stepId: 'step-demo-hotels',
  thought: 'One list, then a ranking.',
  usage: { input: 900, output: 60 },
  tool: { callId: 'call-demo-list', name: 'list_hotels', arguments: { city: 'Lisbon', maxPrice: 150 } },
  listed: 'Hotel Alfama (140), Casa do Rio (149)',
  summary: 'Hotel Alfama: cheaper and closer to the castle.',
} as const

export const BOOKER = {
  name: 'booker',
  description: 'Books what was chosen.',
  stepId: 'step-demo-booking',
  request: 'Book Hotel Alfama for two nights.',
  result: 'Booked at the second attempt, reference ALF-4711.',
  thought: 'The price is within the budget, so book it.',
  usage: { input: 1_400, output: 70, reasoning: 32 },
  guardrail: 'safepred',
  risk: {
    score: 0.35,
    isSafe: true,
    policies: ['P-PAYMENT-LIMIT'],
    explanation: 'A payment, but below the limit that the user named.',
    worldModel: {
      semanticDelta: 'The booking form is submitted and a charge of 280 euros is made.',
      elementChanges: { appear: ['confirmation banner'], vanish: ['booking form'] },
      longTermImpact: 'Free cancellation until two days before arrival.',
      optimizationGuidance: 'Check the total before submitting.',
    },
  },
  guardrailUsage: { input: 640, output: 110 },
  book: { name: 'book_hotel', arguments: { hotel: 'Hotel Alfama', nights: 2 } },
  firstCallId: 'call-demo-book-1',
  secondCallId: 'call-demo-book-2',
  failure: 'The hotel’s booking service timed out.',
  booked: { reference: 'ALF-4711', total: 280 },
} as const

export const MESSAGES = {
  progress: { role: 'assistant', content: 'The hotel is being booked.' },
} as const
