/** The id of a plan's step that was given none: the same in each segment, and known before an agent begins. */
export const defaultStepId = (planId: string, index: number): string => `${planId}-step-${index}`

/** The plan of a step whose id was made of it; undefined for any other id. */
export const planOfStep = (stepId: string): string | undefined => /^([^]+)-step-\d+$/.exec(stepId)?.[1]
