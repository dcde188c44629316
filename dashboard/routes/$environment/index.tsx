import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '../../home/home-page.tsx'
import { homeQuery, RANGES } from '../../home/queries.ts'
import { one, present } from '../../search.ts'

export const Route = createFileRoute('/$environment/')({
  validateSearch: (search) => present({ range: one(search.range, RANGES), set_up: one(search.set_up, ['yes']) }),
  loaderDeps: ({ search }) => ({ range: search.range ?? '24h' }),
  loader: ({ context, params, deps }) => {
    void context.queryClient.prefetchQuery(homeQuery(params.environment, deps.range))
  },
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { range = '24h', set_up } = Route.useSearch()
  return (
    <HomePage
      range={range}
      setUp={set_up !== undefined}
      onRange={(next) => void navigate({ search: next === '24h' ? {} : { range: next }, resetScroll: false })}
    />
  )
}
