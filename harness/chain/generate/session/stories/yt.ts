/** `sim-yt`: a command-line tool that fetches videos by link and transcribes them. */
import { type Story, words } from "../story.ts";
import { ytAreas } from "./yt-areas.ts";
import { ytOutput } from "./yt-output.ts";
import { ytChoices, ytTurns } from "./yt-turns.ts";

export const yt: Story = {
  project: "reelnote",
  language: "python",
  start: "2026-02-09T08:41:12Z",
  version: [0, 6, 2],
  firstPr: 214,
  tests: 186,
  people: ["Ines Maurer", "Tobias Rehn", "Yun Seo", "Akua Boateng"],
  tree: {
    ".": ["pyproject.toml", "README.md"],
    "reelnote/fetch": words("range.py retry.py manifest.py throttle.py cookies.py segments.py session.py"),
    "reelnote/media": words("probe.py remux.py audio.py chapters.py thumbs.py"),
    "reelnote/speech": words("decode.py windows.py align.py batch.py vocab.py models.py"),
    "reelnote/text": words("cues.py export.py punctuate.py wrap.py translate.py"),
    "reelnote/store": words("cache.py index.py jobs.py locks.py quota.py"),
    "reelnote/cli": words("main.py options.py progress.py report.py"),
    tests: words(
      "conftest.py test_range.py test_retry.py test_manifest.py test_cookies.py test_segments.py test_probe.py " +
        "test_audio.py test_windows.py test_align.py test_batch.py test_cues.py test_export.py test_wrap.py " +
        "test_cache.py test_jobs.py test_quota.py test_options.py test_report.py",
    ),
    config: words("default.toml queue.toml hosts.yaml speech.yaml"),
    docs: words("limits.md changelog.md subtitles.md queue.md"),
    samples: words("keynote.json short.json"),
  },
  claims: {
    what: words("resumes keeps drops rejects merges counts orders splits retries caches finds restores"),
    when: [
      "after a 416",
      "when the host is slow",
      "at the cap",
      "on a second run",
      "without a header",
      "across a restart",
      "in one pass",
      "with a zero offset",
      "when cancelled",
      "with two workers",
    ],
  },
  choices: ytChoices,
  areas: ytAreas,
  turns: ytTurns,
  ...ytOutput,
};
