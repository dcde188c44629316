import { createFileRoute } from '@tanstack/react-router'
import { EnvironmentsPage } from '../../environments/environments-page.tsx'

export const Route = createFileRoute('/$environment/environments')({ component: EnvironmentsPage })
