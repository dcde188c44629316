/** The least and the greatest answer of the questions that have a scale of whole numbers. */
export const scales: Record<'nps' | 'rating', readonly [least: number, most: number]> = { nps: [0, 10], rating: [1, 5] }
