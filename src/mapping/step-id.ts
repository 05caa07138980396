/** The id of a plan's step that was given none: the same in each segment, and known before an agent begins. */
export const defaultStepId = (planId: string, index: number): string => `${planId}-step-${index}`
