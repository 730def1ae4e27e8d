// The page's words in both languages, same keys by type: Turkish is there from the start, English comes when asked for.
import { batch, signal } from "@preact/signals-core";
import type { Language } from "./format";
import type { LessonStrings } from "./strings/lesson.tr";
import { type Strings, tr } from "./strings/tr";

const there = signal<{ readonly [lang in Language]?: Strings }>({ tr });

/** The words of a language, or Turkish until they have arrived; signals that read this follow. */
export function stringsOf(lang: Language): Strings {
  return there.value[lang] ?? tr;
}

export async function loadStrings(lang: Language): Promise<void> {
  if (there.peek()[lang]) return;
  const [{ en }, { lessonEn }] = await Promise.all([import("./strings/en"), import("./strings/lesson.en")]);
  batch(() => {
    there.value = { ...there.peek(), en };
    lessonIn.value = { en: lessonEn };
  });
}

/** The later sections' words but for the Turkish ones, which come with those sections. */
const lessonIn = signal<{ readonly en?: LessonStrings }>({});

export function lessonStringsOf(lang: Language, otherwise: LessonStrings): LessonStrings {
  return (lang === "en" && lessonIn.value.en) || otherwise;
}

/** The tale of the long preset: simple words that come again and again, as tales do. */
export const TALE =
  "Bir varmış, bir yokmuş. Evvel zaman içinde, kalbur saman içinde, küçük bir köyde bir kedi ile bir köpek yaşarmış. Kedi gündüz uyur, gece gezermiş; köpek gündüz gezer, gece uyurmuş. Bir gün kedi köpeğe demiş ki: “Ben geceyi bilirim, sen gündüzü bilirsin. Gel, birbirimize anlatalım.” Köpek düşünmüş, kuyruğunu sallamış ve “Olur” demiş. O günden sonra her akşam, güneş batarken, kedi ile köpek bahçede buluşmuş. Köpek kediye güneşi, kuşları, tarladaki insanları anlatmış; kedi köpeğe ayı, yıldızları ve sessiz yolları anlatmış. Kuşlar bunu duymuş ve şaşırmış: kedi ile köpek hiç dost olur mu? Ama olmuş. Bir gece büyük bir fırtına çıkmış; yağmur yağmış, rüzgâr esmiş, bahçe su içinde kalmış. Kedi ağaca çıkmış, köpek aşağıda beklemiş. Sabah olunca kedi inmiş ve köpeğe demiş ki: “Sen beni bekledin.” Köpek demiş ki: “Sen de bana yolu gösterdin.” Gökten üç elma düşmüş: biri kediye, biri köpeğe, biri de bu masalı okuyana.";

export const PRESETS: readonly string[] = [
  "kedi ve köpek bahçede, kedi uyuyor",
  "İstanbul’da yağmur var, Ankara’da yok; İstanbul’dan Ankara’ya yol uzun",
  "IŞIK söndü, ışık yandı; Işık Hanım ılık çayını içti",
  "2024 yılında 12 kedi ve 1 fincan ☕",
  TALE,
];
