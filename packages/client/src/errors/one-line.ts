/** Longer text is cut: a message is a line of a log. */
const mostCharacters = 300;

/** Nothing from outside may break a line of a log, or steer a terminal. */
export function oneLine(text: string, most: number = mostCharacters): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
