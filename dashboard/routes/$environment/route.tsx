import { createFileRoute, notFound } from '@tanstack/react-router'
import { requireSession } from '../../session/require-session.ts'
import { AppShell } from '../../shell/app-shell.tsx'

export const Route = createFileRoute('/$environment')({
  beforeLoad: async ({ params, location }) => {
    const session = await requireSession(location.href)
    if (!session.environments.some(({ slug }) => slug === params.environment)) throw notFound()
  },
  component: AppShell,
})
