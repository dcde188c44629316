import { Link } from '@tanstack/react-router'

/** Opens a row beside its list. Only the space bar uses it; pointers use the link of the row. */
export const PeekLink = ({ id }: { id: string }) => (
  <Link
    className="sr"
    data-peek=""
    tabIndex={-1}
    aria-hidden="true"
    to="."
    search={(before) => ({ ...before, open: id })}
    resetScroll={false}
    preload={false}
  >
    {id}
  </Link>
)
