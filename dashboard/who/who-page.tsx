import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ContentDocument } from '../../contract/content/document.ts'
import { call } from '../api.ts'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { type ContentDetail, contentQuery } from './queries.ts'
import { WhoBody } from './who-body.tsx'

const REST_MS = 600

/** Whom a content is shown to, on which pages, and when. */
export function WhoPage({ id }: { id: string }) {
  const { slug } = useEnvironment()
  const query = useQuery(contentQuery(slug, id))
  return (
    <>
      <Bar current={query.data?.name ?? 'Content'} />
      <h1 className="sr">{query.data?.name ?? 'Content'}</h1>
      <Loaded query={query} what="The content" skeleton={<SkeletonRows rows={8} columns={3} />}>
        {(detail) => <Editor key={detail.id} detail={detail} />}
      </Loaded>
    </>
  )
}

function Editor({ detail }: { detail: ContentDetail }) {
  const reason = useReason('saveDraft')
  const [document, edit] = useDocument(detail)
  return (
    <WhoBody
      contentId={detail.id}
      document={document}
      live={detail.published?.document}
      quietSeconds={detail.guidance.quiet_seconds}
      reason={reason}
      onEdit={(_, change) => edit(change)}
    />
  )
}

/** The draft, saved 600 ms after the last change with the revision that it was made from. */
function useDocument(detail: ContentDetail) {
  const { slug: environment } = useEnvironment()
  const [document, setDocument] = useState<ContentDocument>(detail.draft.document)
  const revision = useRef(detail.draft.revision)
  const saved = useRef(JSON.stringify(detail.draft.document))
  const text = JSON.stringify(document)
  // biome-ignore lint/correctness/useExhaustiveDependencies: text stands for the document
  useEffect(() => {
    if (text === saved.current) return
    const timer = setTimeout(() => {
      const input = { environment, content_id: detail.id, document, expected_draft: revision.current }
      void call('saveDraft', input).then(({ draft }) => {
        revision.current = draft.revision
        saved.current = text
        return queryClient.invalidateQueries({ queryKey: contentQuery(environment, detail.id).queryKey })
      })
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return [document, (change: (before: ContentDocument) => ContentDocument) => setDocument(change)] as const
}
