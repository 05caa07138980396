/** A test run: a framework's folder, and the stories that it supports. */
export interface Run {
  readonly framework: string
  /** The instrumentation or the model API; a runner may support several variants. */
  readonly variant: string
  readonly stories: readonly string[]
}

export const RUNS: readonly Run[] = [
  { framework: 'ai', variant: 'genai', stories: ['tools', 'delegate'] },
  { framework: 'ai', variant: 'legacy', stories: ['tools', 'delegate'] },
  { framework: 'openai-agents', variant: 'responses', stories: ['tools', 'delegate', 'handoff'] },
  { framework: 'openai-agents', variant: 'chat', stories: ['tools', 'delegate', 'handoff'] },
  { framework: 'langchain', variant: 'openinference', stories: ['tools', 'delegate'] },
  { framework: 'langchain', variant: 'langfuse', stories: ['tools', 'delegate'] },
  { framework: 'mastra', variant: 'mastra', stories: ['tools', 'delegate', 'approval', 'review'] },
  { framework: 'pydantic-ai', variant: 'genai', stories: ['tools', 'delegate'] },
  { framework: 'openai-agents-python', variant: 'openinference', stories: ['tools', 'delegate', 'handoff'] },
  { framework: 'openai-agents-python', variant: 'logfire', stories: ['tools', 'delegate', 'handoff'] },
  // Traceloop's spans of an agent called by a tool are children of the root.
  { framework: 'openai-agents-python', variant: 'traceloop', stories: ['tools', 'handoff'] },
  { framework: 'langchain-python', variant: 'openinference', stories: ['tools', 'delegate'] },
  { framework: 'langchain-python', variant: 'langsmith', stories: ['tools', 'delegate'] },
  { framework: 'strands', variant: 'default', stories: ['tools', 'delegate'] },
  { framework: 'strands', variant: 'latest', stories: ['tools', 'delegate'] },
]
