import { createFileRoute } from '@tanstack/react-router'
import { present, text } from '../search.ts'
import { SignIn } from '../session/sign-in.tsx'

export const Route = createFileRoute('/sign-in')({
  // Only a path of our own: never a way to another host.
  validateSearch: (search) =>
    present({ back: /^\/(?![/\\])/.test(text(search.back) ?? '') ? text(search.back) : undefined }),
  component: Page,
})

function Page() {
  return <SignIn back={Route.useSearch().back} />
}
