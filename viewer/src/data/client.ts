import { createClient } from 'planspan/client'

/** The server that the page came from. */
export const client = createClient({ endpoint: location.origin })
