import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '../../account/account-page.tsx'

export const Route = createFileRoute('/$environment/account')({ component: AccountPage })
