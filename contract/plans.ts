/** What an account may do. A limit of `null` means none. */
export const plans = {
  starter: { requestsPerMinute: 500, groups: false },
  growth: { requestsPerMinute: 3_000, groups: true },
  scale: { requestsPerMinute: 30_000, groups: true },
  self_hosted: { requestsPerMinute: null, groups: true },
} as const satisfies Record<string, { requestsPerMinute: number | null; groups: boolean }>

export type PlanName = keyof typeof plans
export const planNames = Object.keys(plans) as PlanName[]

export function isPlanName(text: string): text is PlanName {
  return Object.hasOwn(plans, text)
}
