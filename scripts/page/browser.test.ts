/// <reference lib="dom" />
/** The page in a real browser: Debian's Chromium, where there is one. */
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePage } from "./write.ts";
import { finishedRun, pagePlan } from "./testing.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

if (executablePath === undefined) process.stderr.write("scripts/page/browser.test.ts skipped: no Chromium\n");

describe.skipIf(executablePath === undefined)("the page in Chromium", () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    const path = join(mkdtempSync(join(tmpdir(), "page-")), "report.html");
    await writePage(await finishedRun(pagePlan()), path);
    const { chromium } = await import("playwright-core");
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!/^(?:file|data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(`file://${path}`);
    await page.locator("html[data-ready=true]").waitFor({ state: "attached" });
  }, 120_000);
  afterAll(async () => browser?.close());

  const count = (): Promise<string> => page.locator("#count").innerText();

  it("shows the tables, and a question with what became of it in every arm", async () => {
    expect(await page.locator("#tables table").count()).toBeGreaterThan(5);
    expect(await page.locator("#detail .arm").count()).toBe(7);
    expect(await count()).toBe("30 of 42 questions");
  });

  it("filters by arm and outcome, and keeps that in its address", async () => {
    await page.selectOption("select[name=arm]", "empty");
    await page.selectOption("select[name=outcome]", "kept");
    expect(await count()).toBe("0 of 42 questions");
    await page.selectOption("select[name=outcome]", "lost");
    expect(await count()).toBe("30 of 42 questions");
    expect(page.url()).toContain("#arm=empty&outcome=lost");
    await page.click("button[type=reset]");
    expect(page.url()).not.toContain("arm=");
  });

  it("goes through the list with the arrow keys", async () => {
    const value = (): Promise<string> => page.locator("#detail h3").innerText();
    await page.locator("#list button").first().focus();
    const first = await value();
    await page.keyboard.press("ArrowDown");
    expect(await page.locator("#list [aria-current] .value").innerText()).toBe(await value());
    await page.keyboard.press("ArrowUp");
    expect(await value()).toBe(first);
  });

  it("opens a cell with its projection and requests, and closes it with Escape", async () => {
    await page.locator("#detail .open").first().click();
    const dialog = page.locator("#cell");
    expect(await dialog.locator("h2").innerText()).toContain("FutureOS (summarized) on alder");
    expect(await dialog.locator(".piece").count()).toBeGreaterThan(3);
    expect(await dialog.locator("details").count()).toBe(2);
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(false);
  });

  it("goes from a mark of a figure to the questions behind it", async () => {
    const figure = page.locator('[data-figure="1-waffle"]');
    await figure.scrollIntoViewIfNeeded();
    await figure.locator("svg.marks").waitFor();
    await figure.locator('path[fill="#009e73"]').first().click();
    expect(await page.locator("select[name=arm]").inputValue()).toBe("codex");
    expect(await page.locator("select[name=outcome]").inputValue()).toBe("kept");
  });

  it("goes from a square to the very question that it stands for", async () => {
    const squares = page.locator('[data-figure="1-waffle"] path[fill="#009e73"]');
    const kept = await squares.count();
    await squares.nth(kept - 1).click();
    expect(await page.locator("#list button").count()).toBe(kept);
    expect(await page.locator("#list button").last().getAttribute("aria-current")).toBe("true");
    expect(await page.locator("#detail h3").innerText()).toBe(
      await page.locator("#list button .value").last().innerText(),
    );
  });

  it("goes from a share of the questions to those that were drawn there", async () => {
    const figure = page.locator('[data-figure="2-composition"] svg.marks');
    await figure
      .locator("text")
      .filter({ hasText: /^20 %$/ })
      .last()
      .click();
    expect(await page.locator("select[name=source]").inputValue()).toBe("user");
  });

  it("draws its figures in light ink in a dark theme", async () => {
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
    await page.click("#theme");
    const legend = page.locator('[data-figure="1-waffle"] svg.marks text').first();
    await expect.poll(() => legend.getAttribute("fill")).toBe("#9ea7b3");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  });

  it("has complained of nothing and asked for nothing", () => {
    expect(complaints).toEqual([]);
  });
});
