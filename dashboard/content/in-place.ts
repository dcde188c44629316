import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Input } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'

const POLL_MS = 1_500

/** A content in the editor. */
export interface ContentPlace {
  environment: string
  content_id: string
}

/**
 * Opens the application in a new tab, and returns the id to follow it by. The tab is opened before anything else: browsers allow
 * that only while a click is handled. It gets no opener, so that the page cannot reach the editor.
 */
async function openInPlace(inputOf: () => Promise<Input<'openInPlace'>>): Promise<string> {
  const tab = window.open('about:blank', '_blank')
  if (!tab) throw new Error('The browser has blocked the new tab. Allow pop-ups of this page, and try again.')
  tab.opener = null
  try {
    const { id, url } = await call('openInPlace', await inputOf())
    tab.location.replace(url)
    return id
  } catch (error) {
    tab.close()
    throw error
  }
}

/** What the tab has proposed, followed by asking the server: the tab may be in another window or on a phone. */
function inPlaceQuery(place: ContentPlace, editId: string | null) {
  return {
    queryKey: [place.environment, 'in-place', place.content_id, editId],
    queryFn: ({ signal }: { signal: AbortSignal }) => call('getInPlace', { ...place, edit_id: editId ?? '' }, signal),
    enabled: editId !== null,
    refetchInterval: ({ state }: { state: { data?: { state: string } | undefined } }) =>
      state.data?.state === 'ended' ? (false as const) : POLL_MS,
    refetchIntervalInBackground: true,
  }
}

/** For the editor: *Pick* and *Preview* call `open`; `offered` waits for the member to confirm or decline it. */
export function useInPlace(place: ContentPlace) {
  const [editId, setEditId] = useState<string | null>(null)
  const client = useQueryClient()
  const { data } = useQuery(inPlaceQuery(place, editId))
  return {
    state: data?.state ?? null,
    offered: data?.proposals.find(({ state }) => state === 'offered') ?? null,
    open: async (inputOf: () => Promise<Omit<Input<'openInPlace'>, keyof ContentPlace>>) =>
      setEditId(await openInPlace(async () => ({ ...place, ...(await inputOf()) }))),
    /** The editor has put the locators into its draft before it confirms. */
    settle: async (proposal_id: string, confirmed: boolean) => {
      await call('settleProposal', { ...place, edit_id: editId ?? '', proposal_id, confirmed })
      await client.invalidateQueries({ queryKey: [place.environment, 'in-place', place.content_id] })
    },
    /** The tab stays open; the editor does not wait for it any more. */
    forget: () => setEditId(null),
  }
}
