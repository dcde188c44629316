import { createFileRoute } from '@tanstack/react-router'
import { LinkPage } from '../session/link-page.tsx'

export const Route = createFileRoute('/invitation')({ component: LinkPage })
