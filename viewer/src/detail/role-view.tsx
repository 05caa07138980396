import type { SpanJson } from 'planspan/client'
import { ATTR } from 'virtual:planspan-names'

import type { Node } from '../model/tree.js'
import { GuardrailView } from './guardrail-view.js'
import { ModelView, Messages } from './model-view.js'
import { PlanView } from './plan-view.js'
import { Pairs, Section, TextSection } from './section.js'
import { SpansBelow } from './spans-below.js'
import { WaitView } from './wait-view.js'

/** An agent: its request, its answer and its number of cycles. */
function AgentView({ span: { attributes } }: { readonly span: SpanJson }) {
  const rounds = attributes[ATTR.agentCurrentStep]
  const most = attributes[ATTR.agentMaxSteps]
  return (
    <>
      <Messages title="Request" json={attributes[ATTR.inputMessages]} />
      <Messages title="Result" json={attributes[ATTR.outputMessages]} />
      <Pairs
        pairs={[
          ['Model', attributes[ATTR.requestModel]],
          ['Step', attributes[ATTR.stepIndex] && String(Number(attributes[ATTR.stepIndex]) + 1)],
          ['Cycles', rounds && (most === undefined ? rounds : `${rounds} of ${most} at most`)],
        ]}
      />
      <TextSection title="Description" text={attributes[ATTR.agentDescription]} />
    </>
  )
}

export interface SpanProps {
  readonly node: Node
  readonly span: SpanJson
}

interface RoleViewProps extends SpanProps {
  readonly select: (id: string) => void
}

/** The most important data of a span, by role; a failure comes first. */
export function RoleView(props: RoleViewProps) {
  return (
    <>
      <Failure span={props.span} />
      <OfRole {...props} />
    </>
  )
}

function OfRole({ node, span, select }: RoleViewProps) {
  switch (node.row.role) {
    case 'llm':
      return <ModelView span={span} />
    case 'tool':
      return (
        <>
          <ToolView span={span} />
          <SpansBelow title="Started spans" node={node} select={select} />
        </>
      )
    case 'guardrail':
      return <GuardrailView node={node} span={span} />
    case 'wait':
      return <WaitView node={node} span={span} />
    case 'plan':
    case 'planning':
      return <PlanView span={span} />
    case 'agent':
      return (
        <>
          <AgentView span={span} />
          <SpansBelow title="Cycles" node={node} select={select} />
        </>
      )
    case 'think_act':
      return (
        <>
          <SpansBelow title="Calls" node={node} select={select} />
          <CycleView span={span} />
        </>
      )
    case null:
      return null
  }
}

function Failure({ span: { statusCode, error } }: { readonly span: SpanJson }) {
  if (statusCode !== 'ERROR' && !error) return null
  return (
    <div class="failure">
      <strong>{error?.type ?? 'Failed'}</strong>
      {error && error.text !== error.type && <p>{error.text}</p>}
    </div>
  )
}

function ToolView({ span: { attributes } }: { readonly span: SpanJson }) {
  return (
    <>
      <TextSection title="Arguments" text={attributes[ATTR.toolCallArguments] ?? attributes[ATTR.actionText]} />
      <TextSection title="Result" text={attributes[ATTR.toolCallResult]} />
      <TextSection title="Content" text={attributes[ATTR.toolContent]} />
      <Pairs
        pairs={[
          ['Description', attributes[ATTR.toolDescription]],
          ['Call', attributes[ATTR.toolCallId] && <span class="mono">{attributes[ATTR.toolCallId]}</span>],
        ]}
      />
      <Outcome attributes={attributes} />
    </>
  )
}

function CycleView({ span: { attributes } }: { readonly span: SpanJson }) {
  return (
    <>
      <TextSection title="Action" text={attributes[ATTR.actDescription]} />
      <TextSection title="Result" text={attributes[ATTR.actResult]} />
      <Screenshot title="Screenshot" uri={attributes[ATTR.observationScreenshotUri]} />
      <TextSection title="Accessibility tree" text={attributes[ATTR.observationA11yTree]} />
      <Outcome attributes={attributes} />
    </>
  )
}

/** The environment's state and its message after an action. */
function Outcome({ attributes }: Pick<SpanJson, 'attributes'>) {
  return (
    <>
      <Pairs
        pairs={[
          ['Reward', attributes[ATTR.actionReward]],
          ['Task done', attributes[ATTR.actionDone]],
        ]}
      />
      <Screenshot title="Screenshot afterwards" uri={attributes[ATTR.observationNextScreenshotUri]} />
      <TextSection title="Accessibility tree afterwards" text={attributes[ATTR.observationNextA11yTree]} />
      <TextSection title="Message of the environment" text={attributes[ATTR.actionInfo]} />
    </>
  )
}

/** Only images inside the record are drawn, so that the page loads nothing from elsewhere. */
function Screenshot({ title, uri }: { readonly title: string; readonly uri: string | undefined }) {
  if (uri === undefined) return null
  return (
    <Section title={title} text={uri}>
      {/^data:image\/(?:png|jpeg|gif|webp);/.test(uri) ? (
        <img src={uri} alt="What the agent saw" />
      ) : (
        <span class="mono text">{uri}</span>
      )}
    </Section>
  )
}
