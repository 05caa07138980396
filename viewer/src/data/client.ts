import { createClient } from 'planspan/client'

import { endSession } from '../sign-in/session.js'
import { SERVER } from '../url/base.js'

/** The client of the server that served the page. */
export const client = createClient({
  endpoint: SERVER,
  async fetch(url, init) {
    const response = await fetch(url, init)
    if (response.status === 401) endSession()
    return response
  },
})
