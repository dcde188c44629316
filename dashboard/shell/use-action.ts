import { useState } from 'react'

/** One action at a time: whether it runs, and the error message of the server. */
export function useAction<Arguments extends unknown[]>(act: (...given: Arguments) => Promise<unknown>) {
  const [running, setRunning] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function run(...given: Arguments): Promise<boolean> {
    if (running) return false
    setRunning(true)
    setProblem(undefined)
    try {
      await act(...given)
      return true
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      return false
    } finally {
      setRunning(false)
    }
  }
  return { run, running, problem, clear: () => setProblem(undefined) }
}
