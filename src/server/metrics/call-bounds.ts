/** The recommended bounds of `gen_ai.client.operation.duration`, seconds. */
export const DURATION_BOUNDS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)

/** The recommended bounds of `gen_ai.client.token.usage`. */
export const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, power) => 4 ** power)
