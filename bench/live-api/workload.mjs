// What one benchmarked plan does: 2 agents of 5 cycles, each with a model call and 2 tool calls, and one planning.
export const AGENTS = 2
export const CYCLES = 5
export const TOOLS = 2
export const SPANS = 1 + 2 + AGENTS * (1 + CYCLES * (2 + TOOLS))

export const TEXT = 'The page lists three fares; the cheapest one leaves at nine in the morning. '.repeat(6)
export const STEPS = ['Find a flight', 'Find a hotel', 'Book both']
export const ARGUMENTS = { url: 'https://example.com/fares', query: { from: 'BER', to: 'LIS' }, limit: 20 }
export const RESULT = { rows: [{ airline: 'TAP', price: 312 }], next: null }
export const USAGE = { input: 1850, output: 240, cacheRead: 1200, reasoning: 96 }
