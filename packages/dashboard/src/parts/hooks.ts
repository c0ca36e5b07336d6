import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

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

/** How wide an element is, in pixels; 0 until it is in the page. What is drawn to this width keeps the size of its text. */
export function useWidth<Of extends HTMLElement>(): readonly [RefObject<Of | null>, number] {
  const ref = useRef<Of>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
