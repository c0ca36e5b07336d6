import { type RefObject, useLayoutEffect, useRef, useState } from "react";

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
