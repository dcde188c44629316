import { createFileRoute } from '@tanstack/react-router'
import { SegmentsPage } from '../../../segments/segments-page.tsx'

export const Route = createFileRoute('/$environment/segments/')({ component: () => <SegmentsPage /> })
