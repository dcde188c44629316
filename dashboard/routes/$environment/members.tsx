import { createFileRoute } from '@tanstack/react-router'
import { MembersPage } from '../../members/members-page.tsx'

export const Route = createFileRoute('/$environment/members')({ component: MembersPage })
