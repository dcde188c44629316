import { createFileRoute } from '@tanstack/react-router'
import { ContentPage } from '../../../content/content-page.tsx'

export const Route = createFileRoute('/$environment/content/')({ component: ContentPage })
