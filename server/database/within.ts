/** What was asked for, or `late` when it takes longer. The question goes on, and its failure is handled. */
export async function within<T>(ms: number, answer: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const wait = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, late)
  })
  return await Promise.race([answer, wait]).finally(() => clearTimeout(timer))
}
