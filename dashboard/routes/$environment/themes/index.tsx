import { createFileRoute } from '@tanstack/react-router'
import { ThemesPage } from '../../../themes/themes-page.tsx'

export const Route = createFileRoute('/$environment/themes/')({ component: ThemesPage })
