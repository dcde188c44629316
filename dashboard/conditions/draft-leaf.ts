/** A leaf as it is edited, which may lack parts. */
export type DraftLeaf = Readonly<Record<string, unknown>>
