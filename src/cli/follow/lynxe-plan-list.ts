import type { FollowState } from './state-file.js'
import type { Conversation, LynxeClient } from './lynxe-client.js'

/**
 * The ids of a server's plans. Lynxe lists its newest conversations only, so each call also reads one of the older
 * conversations, to find plans that begin in them.
 */
export class PlanList {
  readonly #client: LynxeClient
  readonly #state: FollowState
  #turn = 0

  constructor(client: LynxeClient, state: FollowState) {
    this.#client = client
    this.#state = state
  }

  async read(): Promise<string[]> {
    const listed = await this.#client.conversations()
    const ids = new Set(listed.map(({ id }) => id))
    const older = this.#state.conversations.filter((id) => !ids.has(id))
    const asked = older[this.#turn++ % Math.max(1, older.length)]
    const found = asked === undefined ? undefined : await this.#client.conversation(asked)
    this.#state.conversations = [...older.filter((id) => id !== asked || found), ...ids]
    return [...listed, ...(found ? [found] : [])].flatMap(plansOf)
  }
}

/** The plans of a conversation, without plain chats. */
const plansOf = ({ planIds }: Conversation): string[] => planIds.filter((id) => !id.startsWith('chat-'))
