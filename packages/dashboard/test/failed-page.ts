import { beforeEach } from "vitest";
import { pagesShown } from "./browser.ts";

// What was waited for and did not come says little without what was there instead.
beforeEach(({ onTestFailed }) => {
  onTestFailed(async () => {
    for (const page of await pagesShown()) {
      const text = await page.locator("body").innerText({ timeout: 1_000 }).catch(String);
      console.error(`shown: ${page.url()}\n${text}`);
    }
  });
});
