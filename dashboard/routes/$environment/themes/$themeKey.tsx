import { createFileRoute } from '@tanstack/react-router'
import { ThemePage } from '../../../themes/theme-page.tsx'

export const Route = createFileRoute('/$environment/themes/$themeKey')({
  staticData: { isRail: true },
  component: () => <ThemePage themeKey={Route.useParams().themeKey} />,
})
