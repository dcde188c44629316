import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../api.ts'
import { useContent, useDraftState } from '../content/use-draft.ts'
import { useEnvironment } from '../session/use-session.ts'

/** The draft as a user would see it. It is asked for again when the draft is saved. */
export function useDraftAs(userId: string | undefined) {
  const { slug: environment } = useEnvironment()
  const { detail, store, version } = useContent()
  const { revision, saving } = useDraftState(store)
  const isAsked = userId !== undefined && version === undefined
  const { data, error } = useQuery({
    queryKey: [environment, 'draft-as', detail.id, userId, revision],
    queryFn: ({ signal }) =>
      call('previewDraft', { environment, content_id: detail.id, user_id: userId as string }, signal),
    enabled: isAsked && saving === 'saved',
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (!isAsked) return {}
  const isOfUser = data?.user.id === userId
  // What is typed is shown at once, with fallbacks instead of the values of the user, until it is saved.
  const isNow = isOfUser && data.revision === revision && saving === 'saved'
  return {
    ...(isOfUser ? { preview: data } : {}),
    ...(isNow ? { rendered: data.content } : {}),
    ...(error ? { problem: error.message } : {}),
  }
}

export type DraftAs = ReturnType<typeof useDraftAs>
