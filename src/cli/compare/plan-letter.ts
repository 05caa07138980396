/** The letter by which a plan is named in front of what it did, from A. */
export const letterOf = (index: number): string => String.fromCodePoint(0x41 + index)
