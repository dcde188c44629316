import { createFileRoute } from '@tanstack/react-router'
import { InstallPage } from '../../../install/install-page.tsx'

export const Route = createFileRoute('/$environment/settings/install')({ component: InstallPage })
