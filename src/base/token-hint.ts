/** Advice for requests that were rejected without a valid token. */
export const TOKEN_HINT =
  'Set PLANSPAN_TOKEN together with PLANSPAN_ENDPOINT, or put it into the configuration file; `planspan doctor` checks it.'
