import { useEffect, useState } from 'react'

/** The value as it was when it last stayed the same for a while. Compared by its JSON. */
export function useRested<Value>(value: Value, restMs: number): Value {
  const [rested, setRested] = useState(value)
  const key = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for the value
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [key, restMs])
  return rested
}
