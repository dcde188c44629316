/** Of fewer runs, or answers, a share says nothing. */
export const LEAST_RUNS = 30
