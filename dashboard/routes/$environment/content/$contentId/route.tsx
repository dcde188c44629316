import { createFileRoute, Outlet } from '@tanstack/react-router'

/** The head and the tabs of a content, around the page of each tab. */
export const Route = createFileRoute('/$environment/content/$contentId')({
  staticData: { isRail: true },
  component: Outlet,
})
