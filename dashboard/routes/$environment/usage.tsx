import { createFileRoute } from '@tanstack/react-router'
import { UsagePage } from '../../usage/usage-page.tsx'

export const Route = createFileRoute('/$environment/usage')({ component: UsagePage })
