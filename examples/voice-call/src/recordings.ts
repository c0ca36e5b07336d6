import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Turn } from "./script.ts";
import { makeWave, secondsOf } from "./wave.ts";

/** A turn as it was recorded: how long each of the two spoke, by the headers of the files. */
export interface RecordedTurn extends Turn {
  readonly askedSeconds: number;
  readonly answeredSeconds: number;
}

/** Records what is said in the turns, one WAV file for each voice, and measures it. */
export async function recorded(turns: readonly Turn[]): Promise<readonly RecordedTurn[]> {
  const folder = await mkdtemp(join(tmpdir(), "creditgate-voice-call-"));
  const measured = async (name: string, seconds: number) => {
    const file = join(folder, `${name}.wav`);
    await writeFile(file, makeWave(seconds));
    return secondsOf(await readFile(file));
  };
  try {
    return await Promise.all(
      turns.map(async (turn, at) => ({
        ...turn,
        askedSeconds: await measured(`${at}-caller`, turn.asking),
        answeredSeconds: await measured(`${at}-reception`, turn.answering),
      })),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
