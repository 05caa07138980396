/** Email addresses. */
export const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g

/** Phone numbers: international numbers, and North American numbers in their usual formats. */
export const PHONE =
  /(?<![\w.+-])(?:(?:\+|00)[1-9][\d ()./-]{6,18}\d|(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4})(?![\w-])/g
