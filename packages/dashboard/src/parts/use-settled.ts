import { useEffect, useState } from "react";

/** A value of plain data, once it has not changed for a while: what is asked for while one types. */
export function useSettled<Value>(value: Value, quietMs: number): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState({ text, value });
  useEffect(() => {
    if (text === settled.text) return undefined;
    const timer = setTimeout(() => setSettled({ text, value }), quietMs);
    return () => clearTimeout(timer);
  }, [text, value, settled.text, quietMs]);
  return settled.value;
}
