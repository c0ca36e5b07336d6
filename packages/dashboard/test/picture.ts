import type { Page } from "playwright-core";

const folder = process.env.CREDITGATE_SCREENSHOTS;

/** For people to look at, where a folder is named. */
export async function picture(page: Page, name: string): Promise<void> {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}
