import { createFileRoute } from '@tanstack/react-router'
import { SystemPage } from '../../system/system-page.tsx'

export const Route = createFileRoute('/$environment/system')({ component: SystemPage })
