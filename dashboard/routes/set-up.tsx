import { createFileRoute } from '@tanstack/react-router'
import { LinkPage } from '../session/link-page.tsx'

export const Route = createFileRoute('/set-up')({ component: LinkPage })
