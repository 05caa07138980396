import { expect, it } from 'vitest'

import { decodeRecord } from '../../../src/mapping/index.js'
import { saidIn } from '../../../src/mapping/adopt/values/spoken-text.js'
import type { PlanExecutionRecord } from '../../../src/records/index.js'
import {
  agentSpan,
  answers,
  asks,
  chatSpan,
  type ForeignSpan,
  foreignSpans,
  says,
} from '../../support/foreign-spans.js'

const LC_HUMAN = {
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'HumanMessage'],
  kwargs: { content: 'Hi', type: 'human' },
}

it.each<[what: string, value: unknown, said: string | undefined]>([
  ['a text', 'Hi', 'Hi'],
  ['a text that begins like data', '[1] is the first source.', '[1] is the first source.'],
  ['a text with a call in it', 'Print(x) and stop.', 'Print(x) and stop.'],
  ['a quoted text', '"Hi"', 'Hi'],
  ['messages', [says('system', 'Be kind.'), says('user', 'Hi')], 'Hi'],
  ['messages of OpenAI in a list', [[{ role: 'user', content: 'Hi' }]], 'Hi'],
  ['messages of LlamaIndex', { role: 'user', blocks: [{ block_type: 'text', text: 'Hi' }] }, 'Hi'],
  ['messages of Haystack', { messages: [{ role: 'user', meta: {}, content: [{ text: 'Hi' }] }] }, 'Hi'],
  ['messages of AutoGen', [{ source: 'user', content: 'Hi', type: 'TextMessage' }], 'Hi'],
  ['messages of LangChain in Traceloop’s wrapper', { inputs: { messages: [LC_HUMAN] }, kwargs: { name: 'A' } }, 'Hi'],
  ['a message of LangChain in Python', "[HumanMessage(content='Hi', additional_kwargs={}, id=None)]", 'Hi'],
  ['a message of LangChain as text', "content='Hi' additional_kwargs={} response_metadata={}", 'Hi'],
  [
    'a message of AutoGen in Python',
    "TextMessage(source='user', models_usage=None, content='Hi', type='TextMessage')",
    'Hi',
  ],
  [
    'messages of Haystack in Python',
    { messages: ["ChatMessage(_role=<ChatRole.USER: 'user'>, _content=[TextContent(text='Hi')], _name=None)"] },
    'Hi',
  ],
  ['the message of ADK', { new_message: { parts: [{ text: 'Hi' }], role: 'user' } }, 'Hi'],
  ['the arguments of a function', { args: [], kwargs: { about: 'Hi', times: 3 } }, 'Hi'],
  ['an input with other values', { query: 'Hi', documents: [] }, 'Hi'],
  ['the input of a pipeline', { data: { prompt: { question: 'Hi' } } }, 'Hi'],
  ['the inputs of a crew', { topic: 'Hi' }, 'Hi'],
  ['JSON in a text', { input: '{"input": "Hi"}' }, 'Hi'],
  ['nothing', [], undefined],
  ['no value', 'None', undefined],
  ['an unknown wrapper', { graph: null, resume: { decisions: [] } }, undefined],
])('reads the request in %s', (_, value, said) => {
  expect(saidIn(typeof value === 'string' ? value : JSON.stringify(value), 'user')).toBe(said)
})

it.each<[what: string, value: unknown, said: string | undefined]>([
  ['the result of a run in Python', "AgentRunResult(output='It\\'s 3.')", "It's 3."],
  ['a result with tasks', { raw: 'Done.', tasks_output: [] }, 'Done.'],
  ['a response of LlamaIndex', { response: { role: 'assistant', blocks: [{ block_type: 'text', text: 'Hi' }] } }, 'Hi'],
  ['the last of several messages', { messages: [says('assistant', 'First.'), says('assistant', 'Last.')] }, 'Last.'],
  [
    'no messages after a request for a tool',
    { messages: [says('assistant', 'First.'), says('assistant', 'I search.', asks('1', 'x'))] },
    undefined,
  ],
  [
    'the text after a search of the provider',
    [says('assistant', asks('1', 'x'), ...answers('1', 'y').parts, 'Hi')],
    'Hi',
  ],
  ['no text in a structured answer', { city: 'Rome', days: 3 }, undefined],
])('reads the answer in %s', (_, value, said) => {
  expect(saidIn(typeof value === 'string' ? value : JSON.stringify(value), 'assistant')).toBe(said)
})

/** The request and the answer of a plan around an agent with the given attributes and one model call. */
function planOf(agent: ForeignSpan): [request: unknown, answer: unknown] {
  const spans = {
    a: agentSpan('researcher', agent),
    m: chatSpan('a', { input: [says('user', 'How high is it?')], output: [says('assistant', '4806 m.')] }),
  }
  const { userRequest, summary } = JSON.parse(decodeRecord(foreignSpans(spans))!.text) as PlanExecutionRecord
  return [userRequest, summary]
}

it.each<[what: string, agent: ForeignSpan]>([
  ['an agent without values', {}],
  ['empty values', { 'input.value': [], 'output.value': [] }],
  ['unknown wrappers', { 'input.value': { state: 1, config: 2 }, 'output.value': { state: 2, config: 2 } }],
  [
    'values that were cut off',
    { 'input.value': 'AgentInput(input=[Chat...', 'output.value': 'StopEvent(result=Ag...' },
  ],
  ['the name of the agent', { 'input.value': 'researcher' }],
])('takes request and answer from the messages of the models, for %s', (_, agent) => {
  expect(planOf(agent)).toEqual(['How high is it?', '4806 m.'])
})

it('prefers the values of the agent to what its models read and wrote', () => {
  expect(planOf({ 'input.value': 'How high?', 'output.value': { output: 'High.' } })).toEqual(['How high?', 'High.'])
})

it.each([
  ['smolagents', 'New task:\nHow high is it?'],
  ['CrewAI', '\nCurrent Task: How high is it?\n\nThis is the expected criteria for your final answer: A number.'],
])('leaves out what %s writes around a request', (_, prompt) => {
  const asked = chatSpan('a', { input: [says('user', prompt)], output: [says('assistant', '4806 m.')] })
  const { text } = decodeRecord(foreignSpans({ a: agentSpan('researcher'), m: asked }))!
  expect((JSON.parse(text) as PlanExecutionRecord).userRequest).toBe('How high is it?')
})
