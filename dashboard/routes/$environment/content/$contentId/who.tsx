import { createFileRoute } from '@tanstack/react-router'
import { WhoPage } from '../../../../who/who-page.tsx'

export const Route = createFileRoute('/$environment/content/$contentId/who')({ component: WhoPage })
