/** With its question mark, once: a name may end with one. */
export const question = (text: string): string => (text.endsWith('?') ? text : `${text}?`)
