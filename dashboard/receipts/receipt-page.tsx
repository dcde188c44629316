import { Bar } from '../shell/bar.tsx'

/** Why one user sees a content, or does not. */
export function ReceiptPage({ contentId, userId }: { contentId: string; userId: string }) {
  return (
    <>
      <Bar current={userId} />
      <div className="page">{contentId}</div>
    </>
  )
}
