// What tests of paper and of looks share: the page in print media, text that stands on other text, colours on the screen.
import { quiet } from "./harness.mjs";

/**
 * Lays the page out for paper in its tab, in both browsers alike: rules for print hold, those for the screen alone do not.
 * What the page does at `beforeprint` is done first, as the browser does it.
 */
export async function onPaper(page, width = 680) {
  await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    const turn = (rules) => {
      for (const rule of rules) {
        if (!(rule instanceof CSSMediaRule)) continue;
        if (/^print/.test(rule.media.mediaText)) rule.media.mediaText = "all";
        else if (/^screen/.test(rule.media.mediaText)) rule.media.mediaText = "not all";
        else turn(rule.cssRules);
      }
    };
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) turn(sheet.cssRules);
  });
  await page.setViewport({ width, height: 900 });
  await quiet(page);
}

/** Pairs of texts that are drawn over each other, anywhere on the page but in bars that float over it. */
export const overlaps = (page) =>
  page.evaluate(() => {
    const floating =
      ".sr, .mirror, script, style, .top, .rail, .flow, .held, .toast, .skip, noscript, textarea, .readout";
    const boxes = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!node.data.trim() || parent.closest(floating)) continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const box = cut(line, parent);
        // Lines of a paragraph may touch: what matters is the middle of the letters.
        const rim = 0.22 * (box.bottom - box.top);
        const [top, bottom, left, right] = [box.top + rim, box.bottom - rim, box.left + 0.5, box.right - 0.5];
        if (right - left > 1 && bottom - top > 1)
          boxes.push({ top, bottom, left, right, node, text: node.data.trim().slice(0, 40) });
      }
    }
    boxes.sort((a, b) => a.top - b.top);
    const found = [];
    boxes.forEach((a, i) => {
      for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom; j++) {
        const b = boxes[j];
        if (a.node !== b.node && a.left < b.right && b.left < a.right) found.push(`${a.text} × ${b.text}`);
      }
    });
    return [...new Set(found)];

    /** The part of a box that no ancestor cuts off. */
    function cut(line, from) {
      let { left, top, right, bottom } = line;
      for (let up = from; up && up !== document.body; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (style.clipPath !== "none") right = left;
        if (style.overflowX === "visible" && style.overflowY === "visible") continue;
        const box = up.getBoundingClientRect();
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      return { left, top, right, bottom };
    }
  });

/** How many pixels of each colour an element has on the screen, as [red, green, blue, count], the most frequent first. */
export async function coloursOf(page, selector, clip) {
  const element = await page.$(selector);
  await element.evaluate((one) => one.scrollIntoView({ block: "center", behavior: "instant" }));
  await quiet(page);
  const picture = await element.screenshot({ encoding: "base64", ...(clip && { clip }) });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const key = `${data[i]} ${data[i + 1]} ${data[i + 2]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]).map(([key, n]) => [...key.split(" ").map(Number), n]);
  }, picture);
}
