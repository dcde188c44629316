import type { ReactNode } from 'react'

export type TableColumn<Row> = {
  id: string
  head: string
  /** The head is for screen readers alone. */
  isHeadHidden?: boolean
  cell: (row: Row) => ReactNode
  /** The cells are data of the application: they are set in the monospace font. */
  mono?: boolean
  /** The head is data of the application too. */
  monoHead?: boolean
  align?: 'end'
  /** Whether the API sorts by it. */
  sorts?: boolean
  /** Of the page's width: a first column has a third of it otherwise. */
  width?: 'slim' | 'broad'
  /** Left out below 1180 pixels, and in the cards of a phone. */
  wide?: boolean
}
