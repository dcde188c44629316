import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { environmentToOpen } from '../../session/environment-to-open.ts'
import { requireSession } from '../../session/require-session.ts'
import { AppShell } from '../../shell/app-shell.tsx'

/** An address without an environment, such as /users, is of the one that was open last. What is no page has the sidebar there. */
export const Route = createFileRoute('/$environment')({
  beforeLoad: async ({ params, location }) => {
    const session = await requireSession(location.href)
    if (session.environments.some(({ slug }) => slug === params.environment)) return
    const environment = environmentToOpen(session)
    if (environment === '') throw notFound()
    throw redirect({ href: `/${environment}${location.pathname}${location.searchStr}`, replace: true })
  },
  component: AppShell,
})
