export const load = () => import('./core.ts')
