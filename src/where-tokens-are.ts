/** Where a command takes its token from: said by all that are refused without one. */
export const WHERE_TOKENS_ARE =
  'PLANSPAN_TOKEN beside PLANSPAN_ENDPOINT has it, or the configuration file; `planspan doctor` tells.'
