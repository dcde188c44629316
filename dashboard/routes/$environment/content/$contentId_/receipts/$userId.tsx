import { createFileRoute } from '@tanstack/react-router'
import { ReceiptPage } from '../../../../../receipts/receipt-page.tsx'

/** Beside the tabs of the content, not within them: it is about one user. */
export const Route = createFileRoute('/$environment/content/$contentId_/receipts/$userId')({
  component: () => {
    const { contentId, userId } = Route.useParams()
    return <ReceiptPage contentId={contentId} userId={userId} />
  },
})
