/** Which runs of a version a figure of the results counts. In a file of its own: the dashboard loads it without any schema. */
export const figureKinds = ['seen', 'completed', 'open', 'left', 'reached', 'answered'] as const
