import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Announcer } from './parts/announce.tsx'
import { Toasts } from './parts/toast.tsx'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'
import { onSessionChange } from './session/changes.ts'
import { followSession } from './session/queries.ts'
import './theme.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')

onSessionChange(() => void followSession())

createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={400}>
          <RouterProvider router={router} />
          <Toasts />
          <Announcer />
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
