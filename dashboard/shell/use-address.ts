import { useNavigate, useSearch } from '@tanstack/react-router'

/** Writes the state of a page into its address. What is typed replaces the address, what is chosen adds one. */
export type ChangeAddress<Search> = (search: Search, replace?: boolean) => void

/** The state of a page from its address, as the route's `validateSearch` has read it, and how to change it. */
export function useAddress<Search extends object>(): [Search, ChangeAddress<Search>] {
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  // The route has validated it; which route that is, a page that two of them show cannot know.
  return [
    search as Search,
    (next, replace = false) => void navigate({ to: '.', search: next, replace, resetScroll: false }),
  ]
}
