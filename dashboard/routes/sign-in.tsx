import { createFileRoute } from '@tanstack/react-router'
import { present, text } from '../search.ts'
import { safeBack } from '../session/back.ts'
import { SignIn } from '../session/sign-in.tsx'

export const Route = createFileRoute('/sign-in')({
  validateSearch: (search) => present({ back: safeBack(text(search.back)) }),
  component: Page,
})

function Page() {
  return <SignIn back={Route.useSearch().back} />
}
