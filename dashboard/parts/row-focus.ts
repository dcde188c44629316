import { createContext, use } from 'react'

/** True inside of the row that holds the table's one tab stop. */
export const RowFocus = createContext(true)

export const useRowTab = (): 0 | -1 => (use(RowFocus) ? 0 : -1)
