import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/$environment/content/$contentId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$environment/content/$contentId/steps', params, replace: true })
  },
})
