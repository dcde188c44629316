/** Who may write an attribute. A name that the back end has written is its own, unless a member says otherwise. */
export const writers = ['anyone', 'back_end'] as const
