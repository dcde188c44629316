/** Of fewer runs a share says nothing. */
export const LEAST_RUNS = 30
