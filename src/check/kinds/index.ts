import { allow, forbid, require } from './actions.js'
import { budget } from './budget.js'
import { follow, order } from './order.js'
import { state, steps } from './outcome.js'
import { review } from './review.js'
import { risk } from './risk.js'
import { text } from './text.js'

/** The kinds of rules. A rule has the key of exactly one kind. */
export const KINDS = { order, follow, forbid, require, allow, budget, review, state, steps, risk, text }
